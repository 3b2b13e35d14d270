import { type Dispatcher, getGlobalDispatcher } from 'undici'

const withoutLimits: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler)

/**
 * A `fetch` that waits as long as its signal lets it. Node's own gives up after five minutes without
 * the head of an answer, or without more of its body; a model on a processor may need longer. Give it
 * a signal, or it waits for ever.
 */
export const patientFetch = (
  input: Parameters<typeof fetch>[0],
  init: RequestInit & { signal: AbortSignal },
): Promise<Response> =>
  fetch(input, { ...init, dispatcher: getGlobalDispatcher().compose(withoutLimits) })
