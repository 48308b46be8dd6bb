"""Bare systems in folders: built once by debootstrap, entered as an ordinary user with an empty environment.

Whatever runs in one, its building included, runs in mount and process namespaces of its own: they end with
it, however it ends, and take mounts and processes along. Nothing outside the cache folder is written.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path

PACKAGES = ("make", "python3", "python3-venv", "ca-certificates")
USER = "newcomer"
_UID = 1000
_CERTIFICATES = Path("/usr/local/share/ca-certificates")
_PRIVATE = (
    "unshare",
    "--mount",
    "--pid",
    "--fork",
    "--kill-child",
    "--mount-proc",
    "--propagation",
    "private",
)
_MOUNTED = r"""
set -eu
root=$1; shift
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for each in null zero full random urandom tty; do
  touch "$root/dev/$each"; mount --bind "/dev/$each" "$root/dev/$each"
done
ln -s /proc/self/fd "$root/dev/fd"
ln -s /proc/self/fd/0 "$root/dev/stdin"; ln -s /proc/self/fd/1 "$root/dev/stdout"
ln -s /proc/self/fd/2 "$root/dev/stderr"
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
cat /etc/resolv.conf > "$root/etc/resolv.conf"
exec chroot "$root" "$@"
"""


class BuildError(Exception):
    """A system can't be built here; the text says why."""


@dataclass(frozen=True)
class System:
    """A release of Debian, and what is installed in it besides make, Python and certificates."""

    name: str
    title: str
    suite: str
    more: tuple[str, ...] = ()
    python: str = "python3"


_BROWSER = ("chromium-headless-shell", "fonts-liberation", "libatomic1")
SYSTEMS = (
    System("debian-12", "Debian 12", "bookworm"),
    System("debian-13", "Debian 13", "trixie"),
    System("debian-testing", "Debian testing", "testing"),
    System(
        "debian-testing-python3.15",
        "the same, Python 3.15",
        "testing",
        ("python3.15", "python3.15-venv"),
        "python3.15",
    ),
    System("debian-12-browser", "Debian 12 with a browser", "bookworm", _BROWSER),
    System("debian-13-browser", "Debian 13 with a browser", "trixie", _BROWSER),
)


def build(system: System, cache: Path, *, fresh: bool = False) -> Path:
    """Return the folder of a system, built if the cache lacks it or has it by another recipe.

    Raises BuildError where this machine can't build it.
    """
    folder, recipe = cache / system.name, json.dumps([asdict(system), PACKAGES])
    stamp = folder / "recipe.json"
    if not fresh and stamp.exists() and stamp.read_text(encoding="utf-8") == recipe:
        return folder
    if os.geteuid() != 0:
        raise BuildError("building a system takes root")
    for tool, package in (("debootstrap", "debootstrap"), ("unshare", "util-linux")):
        if shutil.which(tool) is None:
            raise BuildError(f"{tool} isn't installed (apt-get install {package})")
    cache.mkdir(parents=True, exist_ok=True)
    partial = cache / f"{system.name}.partial"
    for old in (partial, folder):
        shutil.rmtree(old, ignore_errors=True)
    log = cache / f"{system.name}.build.log"
    packages = ",".join(PACKAGES)
    _logged(log, "debootstrap", "--variant=minbase", f"--include={packages}", system.suite, str(partial))
    for certificate in _CERTIFICATES.glob("*.crt"):  # of a network that has its own
        shutil.copy(certificate, partial / certificate.relative_to("/"))
    (partial / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n", encoding="utf-8")
    (partial / "usr/sbin/policy-rc.d").chmod(0o755)
    steps = ["update-ca-certificates", f"useradd --create-home --uid {_UID} --shell /bin/bash {USER}"]
    if system.more:
        apt = "apt-get -q -o Acquire::Check-Valid-Until=false"  # a mirror of testing may be an older one
        steps += [
            f"{apt} update",
            f"{apt} install -y --no-install-recommends {' '.join(system.more)}",
        ]
    script = " && ".join([*steps, "apt-get clean"])
    environment = "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive"
    _logged(log, "sh", "-c", _MOUNTED, "sh", str(partial), *environment, "sh", "-c", script)
    stamp = partial / "recipe.json"
    stamp.write_text(recipe, encoding="utf-8")
    partial.rename(folder)
    return folder


def lay(checkout: Path, root: Path) -> Path:
    """Clone a checkout's HEAD into a new folder of the user, its name with a space and an umlaut."""
    home = root / "home" / USER
    for old in home.iterdir():
        shutil.rmtree(old) if old.is_dir() and not old.is_symlink() else old.unlink()
    # The checkout may be somebody else's, which git asks about; only a file of settings reaches its helpers.
    (home / ".gitconfig").write_text("[safe]\n\tdirectory = *\n", encoding="utf-8")
    folder = home / "Dominium für alle"
    subprocess.run(
        ["git", "clone", "--quiet", "--no-hardlinks", checkout, folder],
        env={"PATH": os.environ["PATH"], "HOME": str(home)},
        check=True,
    )
    (home / ".gitconfig").unlink()
    subprocess.run(["chown", "-R", f"{_UID}:{_UID}", home], check=True)
    return folder


def entered(root: Path, folder: Path, script: str) -> list[str]:
    """Return the command that runs a bash script as the user, in a folder and an empty environment."""
    variables = (
        f"HOME=/home/{USER}", f"USER={USER}", f"LOGNAME={USER}",
        "PATH=/usr/local/bin:/usr/bin:/bin", "TERM=dumb",
    )  # fmt: skip
    begin = f'umask 077; cd "$0"; {script}'
    inside = (
        "setpriv", f"--reuid={_UID}", f"--regid={_UID}", "--clear-groups",
        "env", "-i", *variables, "bash", "-c", begin, f"/{folder.relative_to(root)}",
    )  # fmt: skip
    return [*_PRIVATE, "sh", "-c", _MOUNTED, "sh", str(root), *inside]


def _logged(log: Path, *command: str) -> None:
    with log.open("a", encoding="utf-8") as file:
        done = subprocess.run([*_PRIVATE, *command], stdout=file, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        last = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
        raise BuildError(f"{''.join(last) or 'no output'} ({log})")
