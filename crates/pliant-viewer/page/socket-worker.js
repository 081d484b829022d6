/**
 * The socket, on its own thread, since drawing would block it.
 *
 * To the worker: `{send: text}`. From it: `{status}`, `{text: object}`, `{binary: decoded}`.
 * After a lost connection it retries, at first soon and then every few seconds.
 */
import { decode } from './protocol.js';

const FIRST_WAIT = 400;
const MAX_WAIT = 4000;

let socket = null;
let wait = FIRST_WAIT;

function address() {
  const url = new URL('/socket', self.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url;
}

function receive({ data }) {
  try {
    if (typeof data === 'string') self.postMessage({ text: JSON.parse(data) });
    else {
      const binary = decode(data);
      self.postMessage({ binary }, [binary.buffer]);
    }
  } catch (error) {
    self.postMessage({ fault: String(error) });
  }
}

function connect() {
  self.postMessage({ status: 'connecting' });
  socket = new WebSocket(address());
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => {
    wait = FIRST_WAIT;
    self.postMessage({ status: 'open' });
  };
  socket.onmessage = receive;
  socket.onclose = (event) => {
    self.postMessage({ status: 'closed', code: event.code, reason: event.reason });
    setTimeout(connect, wait);
    wait = Math.min(MAX_WAIT, wait * 1.7);
  };
}

self.onmessage = ({ data }) => {
  if (socket?.readyState === WebSocket.OPEN) socket.send(data.send);
};

connect();
