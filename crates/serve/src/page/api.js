// Requests. Each operation has one at a time: a new one takes the place of the one before, and the
// server stops what nobody waits for. A failure is a sentence, whatever failed.

const running = new Map();

/** What is to be told to whoever asked. */
export class Failure extends Error {}

/** The model as it is in its file. */
export async function openModel() {
  return read(await reached(fetch('model', { cache: 'no-store' })));
}

/** The answer of an operation; nothing if another request took its place. */
export async function ask(operation, data) {
  stop(operation);
  const abort = new AbortController();
  running.set(operation, abort);
  try {
    const answer = await reached(
      fetch(`api/${operation}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(data),
        cache: 'no-store',
        signal: abort.signal,
      }),
    );
    return await read(answer);
  } catch (error) {
    if (abort.signal.aborted) return null;
    throw error;
  } finally {
    if (running.get(operation) === abort) running.delete(operation);
  }
}

/** Stops an operation if it runs. */
export function stop(operation) {
  running.get(operation)?.abort();
  running.delete(operation);
}

async function reached(request) {
  try {
    return await request;
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Failure('the server does not answer; has argos serve ended?');
  }
}

async function read(answer) {
  if (!answer.ok) throw new Failure(`${(await answer.text()).trim()} (${answer.status})`);
  const data = await answer.json();
  if (data.error) throw new Failure(data.error);
  return data;
}
