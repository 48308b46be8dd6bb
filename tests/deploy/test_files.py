"""Unit, Containerfile and compose file: what they name exists, and fits the program."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import urllib.request
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path

import pytest

from bot.platform.config import load_config
from bot.supervisor import Supervisor
from cli import COMMANDS
from cli.terminal import Sorry
from storage.postgres.sessions import OLDEST_SERVER
from storage.postgres.target import read_target
from tests.deploy.versions import ROOT, link_libraries
from tests.soak import SOAK

UNIT = ROOT / "deploy" / "dominium.service"
CONTAINERFILE = ROOT / "deploy" / "Containerfile"
COMPOSE = ROOT / "deploy" / "compose.yaml"
SECOND_COMPOSE = ROOT / "deploy" / "compose.postgresql.yaml"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


# --- systemd ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def unit() -> ConfigParser:
    """The unit; each of its keys stands once in its section, or reading fails."""
    read = ConfigParser(interpolation=None)
    read.optionxform = str  # type: ignore[assignment,method-assign] # systemd's keys have capitals
    read.read_string(UNIT.read_text("utf-8"))
    return read


def test_the_unit_starts_what_an_upgrade_installs(unit: ConfigParser) -> None:
    service = unit["Service"]
    program, command = shlex.split(service["ExecStart"])
    assert program == f"{service['WorkingDirectory']}/current/bin/dominium"
    assert command in COMMANDS
    data = Path(service["WorkingDirectory"]) / load_config({}).data
    assert str(data.parent) == service["ReadWritePaths"], "the default database can be written"


def test_the_unit_starts_again_unless_someone_has_to_set_something_right(unit: ConfigParser) -> None:
    assert unit["Service"]["Restart"] == "always"
    assert unit["Service"]["RestartPreventExitStatus"] == str(Sorry.exit_code)
    assert int(unit["Service"]["TimeoutStopSec"]) > 10


def test_the_unit_gives_the_bot_no_rights(unit: ConfigParser) -> None:
    service = unit["Service"]
    assert service["User"] != "root"
    assert service["CapabilityBoundingSet"] == ""
    for key in ("NoNewPrivileges", "PrivateDevices", "PrivateTmp", "ProtectHome", "RestrictNamespaces"):
        assert service[key] == "yes"
    assert service["ProtectSystem"] == "strict"


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None,
    reason="systemd-analyze isn't installed. To run it: sudo apt-get install systemd",
)
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    program = tmp_path / "dominium"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    copy = tmp_path / "dominium.service"
    text = UNIT.read_text("utf-8").replace("/opt/dominium/app/current/bin/dominium", str(program))
    copy.write_text(text.replace("file:///opt/dominium/app/docs/self-hosting.md", "man:systemd(1)"))

    def verify() -> str:
        done = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", str(copy)], capture_output=True, text=True, check=False
        )
        return done.stdout + done.stderr

    assert str(copy.name) not in verify()
    copy.write_text(f"{copy.read_text()}\n[Service]\nProtectSytem=strict\n")
    assert "ProtectSytem" in verify(), "a wrong key would be found"


# --- container ----------------------------------------------------------------------------------------


def instructions(path: Path = CONTAINERFILE) -> Iterator[tuple[str, str]]:
    """Yield the instructions of a Containerfile, in order."""
    text = re.sub(r"^\s*#.*\n", "", path.read_text("utf-8"), flags=re.MULTILINE).replace("\\\n", " ")
    for line in filter(None, map(str.strip, text.splitlines())):
        name, _, rest = line.partition(" ")
        yield name, rest.strip()


def stages() -> list[list[tuple[str, str]]]:
    """Return the instructions of each stage."""
    found: list[list[tuple[str, str]]] = []
    for name, rest in instructions():
        if name == "FROM":
            found.append([])
        found[-1].append((name, rest))
    return found


def values(stage: list[tuple[str, str]], name: str) -> list[str]:
    return [rest for each, rest in stage if each == name]


def test_the_image_has_a_python_that_is_new_enough_in_both_stages() -> None:
    images = {rest.split()[0] for name, rest in instructions() if name == "FROM"}
    (image,) = images
    found = re.fullmatch(r"docker\.io/library/python:3\.(\d+)-slim", image)
    assert found is not None
    assert f"Programming Language :: Python :: 3.{found[1]}" in PROJECT["project"]["classifiers"]


def test_what_is_copied_exists_and_is_the_whole_program() -> None:
    build, run = stages()
    copied = {source for rest in values(build, "COPY") for source in shlex.split(rest)[:-1]}
    assert {source for source in copied if not (ROOT / source).exists()} == set()
    project = PROJECT["project"]
    needed = {*PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]}
    needed |= {"pyproject.toml", "requirements.txt", project["readme"], *project["license-files"]}
    assert copied == needed
    (handed,) = values(run, "COPY")
    assert handed == "--from=build /opt/dominium /opt/dominium"


def test_the_image_runs_a_command_of_ours_as_nobody_special() -> None:
    _, run = stages()
    (entry,), (command,), (user,) = (values(run, name) for name in ("ENTRYPOINT", "CMD", "USER"))
    assert entry == '["dominium"]'
    assert "dominium" in PROJECT["project"]["scripts"]
    assert command.strip('[]"') in COMMANDS
    number, group = map(int, user.split(":"))
    assert number == group >= 1000
    assert any(f"--uid {number} --user-group" in rest for rest in values(run, "RUN"))
    names = [name for name, _ in run]
    assert names.index("USER") > names.index("RUN"), "what needs rights comes before"


def test_settings_of_the_image_are_settings_of_the_bot() -> None:
    _, run = stages()
    made = dict(rest.split("=", 1) for rest in values(run, "ENV"))
    assert load_config(made).data.parent == Path(values(run, "VOLUME")[0]) == Path(values(run, "WORKDIR")[0])
    assert made["PATH"].startswith("/opt/dominium/bin:")
    known = (ROOT / ".env.example").read_text("utf-8")
    assert {name for name in made if name.startswith("DOMINIUM") and f"{name}=" not in known} == set()


def test_the_compose_file_fits_the_image() -> None:
    text = COMPOSE.read_text("utf-8")
    assert "\t" not in text
    assert (COMPOSE.parent / re.findall(r"context: (\S+)", text)[0] / "pyproject.toml").exists()
    assert (ROOT / re.findall(r"dockerfile: (\S+)", text)[0]) == CONTAINERFILE
    assert (COMPOSE.parent / re.findall(r"env_file: (\S+)", text)[0]).resolve() == ROOT / ".env"
    made = dict(re.findall(r"^ +(DOMINIUM_\w+): \"?([^\"\n]+)", text, re.MULTILINE))
    config = load_config(made)
    known = (ROOT / ".env.example").read_text("utf-8")
    assert {name for name in made if f"{name}=" not in known} == set()
    assert config.metrics is not None
    host, port = config.metrics
    assert f"'http://{host}:{{{port} + i}}/healthz'" in text, "health is asked where it is served"
    (volume, mounted), *more = re.findall(r"^ +- (\w+):(/\S+)$", text, re.MULTILINE)
    assert not more
    assert f"\nvolumes:\n  {volume}:\n" in text
    assert config.data.is_relative_to(mounted)
    assert config.backup_folder.is_relative_to(mounted)
    for line in re.findall(r"exec bot dominium (\w+)", text):
        assert line in COMMANDS


@pytest.mark.parametrize("processes", ["", "1", "2", "3"])
def test_health_is_asked_of_every_process(monkeypatch: pytest.MonkeyPatch, processes: str) -> None:
    text = COMPOSE.read_text("utf-8")
    (script,) = re.findall(r"- -c\n +- \"([^\"]+)\"\n", text)
    script = re.sub(r"\\\n +", "", script)  # as YAML reads it
    (base,) = map(int, re.findall(r'DOMINIUM_METRICS: "(\d+)"', text))
    config = load_config(
        {"PROCESSES": processes, "DATABASE_URL": "postgresql://x", "DOMINIUM_METRICS": str(base)}
    )
    count, supervisor = config.processes, Supervisor(config)
    served = (
        {base}
        if count == 1
        else {
            int(supervisor.environment({}, number, 3)["DOMINIUM_METRICS"].rpartition(":")[2])
            for number in range(count)
        }
    )
    asked: list[int] = []

    def answer(url: str, timeout: float) -> None:
        asked.append(int(re.findall(r":(\d+)/healthz$", url)[0]))
        if asked[-1] == max(served):
            raise OSError("it hangs")

    monkeypatch.setenv("PROCESSES", processes)
    monkeypatch.setattr(urllib.request, "urlopen", answer)
    with pytest.raises(OSError, match="it hangs"):
        exec(script, {})
    assert set(asked) == served


def test_only_what_the_image_is_built_from_is_sent_to_the_builder() -> None:
    lines = [line for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line[0] != "#"]
    assert lines[0] == "*", "nothing is sent unless it is named"
    build, _ = stages()
    copied = {
        source.removeprefix("./") for rest in values(build, "COPY") for source in shlex.split(rest)[:-1]
    }
    assert {line[1:] for line in lines if line.startswith("!")} == copied
    assert not {".env", "data", ".git", "releases"} & copied


def test_the_second_compose_file_gives_the_bot_a_database() -> None:
    text = SECOND_COMPOSE.read_text("utf-8")
    assert "\t" not in text
    (bot, database) = re.findall(r"^  (\w+):\n", text.partition("\nvolumes:")[0], re.MULTILINE)
    assert f"\n  {bot}:\n" in COMPOSE.read_text("utf-8"), "it adds to the bot of the first file"
    assert re.search(rf"depends_on:\n +{database}:\n +condition: service_healthy", text)
    assert text.count("healthcheck:") == 1
    (url,) = re.findall(r"DATABASE_URL: (\S+?)\$\{(\w+):\?[^}]+\}(@\S+)", text)
    before, password, after = url
    made = dict(re.findall(r"^ +(POSTGRES_\w+): (.+)$", text, re.MULTILINE))
    assert made["POSTGRES_PASSWORD"].startswith(f"${{{password}:?")
    config = load_config({"DATABASE_URL": f"{before}x{after}"})
    target = read_target(config.database_url).parameters
    assert target["host"] == database
    assert (target["user"], target["dbname"]) == (made["POSTGRES_USER"], made["POSTGRES_DB"])
    (image,) = re.findall(r"image: docker\.io/library/postgres:(\d+)$", text, re.MULTILINE)
    assert int(image) * 10_000 >= OLDEST_SERVER
    ((volume, _),) = re.findall(r"^ +- (\w+):(/\S+)$", text, re.MULTILINE)
    assert f"\nvolumes:\n  {volume}:\n" in text
    assert "\npsycopg==" in (ROOT / "requirements.txt").read_text("utf-8"), "the image has the driver"


@pytest.mark.long
@pytest.mark.slow
def test_the_steps_of_the_image_work_without_an_engine(tmp_path: Path) -> None:
    """Do in a folder what the first stage does, and what the second starts.

    A soak fetches the libraries from a package index; else pip finds there those of the tests.
    """
    build, run = stages()
    source, target = tmp_path / "src", tmp_path / "opt" / "dominium"
    libraries = re.findall(r"^([\w-]+)==", (ROOT / "requirements.txt").read_text("utf-8"), re.MULTILINE)
    source.mkdir()
    for rest in values(build, "COPY"):
        *names, where = shlex.split(rest)
        for name in names:
            place = source / where / (name if where.endswith("/") else "")
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, place, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, place)
    for rest in values(build, "RUN"):
        command = rest.replace("/opt/dominium", shlex.quote(str(target)))
        if command.startswith("python "):
            command = shlex.quote(sys.executable) + command.removeprefix("python")
            if not SOAK:
                command += " --without-pip"
        once = os.environ | {"PIP_COMPILE": "0"}  # most of it is never run here
        if not SOAK:
            once["PIP_NO_INDEX"] = "1"  # never another version, in whose place ours would be removed
        done = subprocess.run(
            command, shell=True, cwd=source, env=once, capture_output=True, text=True, check=False
        )
        if SOAK and ("No matching distribution" in done.stderr or "Failed to establish" in done.stderr):
            pytest.skip("no package index can be reached. To run it: connect this machine to one")
        assert done.returncode == 0, done.stderr
        if command.endswith("--without-pip"):
            link_libraries(target, libraries)
    data = tmp_path / "data"
    data.mkdir()
    made = dict(rest.split("=", 1) for rest in values(run, "ENV"))
    made = {name: value.replace("/data", str(data)) for name, value in made.items() if name != "PATH"}
    del made["PYTHONDONTWRITEBYTECODE"]  # pip has compiled all there; here the first command does
    environment = {"PATH": f"{target / 'bin'}:{os.environ['PATH']}", "HOME": str(data), **made}

    def dominium(*args: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["dominium", *args],
            cwd=data, env=environment | more, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip

    assert dominium("--version").stdout.startswith("dominium")
    examined = dominium("doctor", "--offline")
    assert examined.returncode == 0, examined.stdout
    refused = dominium("run", DISCORD_TOKEN="hunter2")
    assert refused.returncode == Sorry.exit_code
    assert "DISCORD_TOKEN can't be a token" in refused.stderr
    check = "import prometheus_client, bot.platform.operator_server as s; assert 'opt/dominium' in s.__file__"
    subprocess.run([target / "bin" / "python", "-P", "-c", check], cwd=data, env=environment, check=True)
