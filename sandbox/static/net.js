// One WebSocket per page and person. Each request gets one answer; a lost line is picked up again.

export class Line extends EventTarget {
  #socket = null;
  #number = 0;
  #waiting = new Map();
  #person = "";
  #delay = 250;
  #timer = 0;

  /** Speak as `person` from now on. */
  open(person) {
    this.#person = person;
    clearTimeout(this.#timer);
    const old = this.#socket;
    this.#socket = null;
    old?.close();
    const socket = new WebSocket(`ws://${location.host}/ws?as=${encodeURIComponent(person)}`);
    this.#socket = socket;
    socket.addEventListener("message", (event) => {
      if (this.#socket === socket) this.#read(JSON.parse(event.data));
    });
    socket.addEventListener("close", () => {
      if (this.#socket !== socket) return;
      for (const { fail } of this.#waiting.values()) fail(new Error("The sandbox can't be reached."));
      this.#waiting.clear();
      this.dispatchEvent(new CustomEvent("lost"));
      this.#timer = setTimeout(() => this.open(this.#person), this.#delay);
      this.#delay = Math.min(this.#delay * 2, 4000);
    });
  }

  /** Ask for something; resolves with the answer, rejects with the reason. */
  ask(verb, what = {}) {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Error("The sandbox can't be reached."));
    const id = (this.#number += 1);
    return new Promise((done, fail) => {
      this.#waiting.set(id, { done, fail });
      socket.send(JSON.stringify({ id, do: verb, ...what }));
    });
  }

  #read(told) {
    if ("re" in told) {
      const waiting = this.#waiting.get(told.re);
      this.#waiting.delete(told.re);
      if (told.ok) waiting?.done(told.data);
      else waiting?.fail(new Error(told.why));
      return;
    }
    if (told.what === "hello") this.#delay = 250;
    this.dispatchEvent(new CustomEvent(told.what, { detail: told }));
  }
}
