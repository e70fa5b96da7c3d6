export interface PlainRequest {
  readonly method: string;
  /** Path and query exactly as sent. */
  readonly target: string;
  readonly authorization: string | undefined;
  /** Undefined if the body was larger than `maxBodyBytes`. */
  readonly body: Buffer | undefined;
}

/** The largest request body that the sandbox reads. */
export const maxBodyBytes = 1024 * 1024;

export interface SandboxResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** How a fault disturbs the delivery: see `faultKinds`. */
  readonly delivery?: 'reset' | 'silent' | 'slow' | 'truncated';
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  404: 'Not found',
  405: 'Method not allowed',
  422: 'Unrecognized parameters',
  429: 'Too many organizations',
  500: 'Server error',
  502: 'Bad gateway',
  503: 'Service unavailable',
  504: 'Gateway timeout',
};

/* Not part of the specification. A client can report that the figures are synthetic. */
const synthetic = { 'Carbon-Sandbox': 'synthetic' };

/** Makes a response with a JSON body. */
export function jsonResponse(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): SandboxResponse {
  const type = { 'Content-Type': 'application/json', ...synthetic };
  return { status, headers: { ...type, ...headers }, body };
}

/** Makes an error response (section 2.10); a 401 has the challenge of RFC 9110, 11.6.1. */
export function problem(
  status: number,
  detail: string,
  headers?: Readonly<Record<string, string>>,
): SandboxResponse {
  const body = { status, title: titles[status] ?? 'Error', detail };
  const challenge = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
  return jsonResponse(status, JSON.stringify(body), { ...challenge, ...headers });
}

/** Makes the 404 response to a registration (section 4.1). */
export function nothingMatches(detail: string): SandboxResponse {
  return jsonResponse(404, JSON.stringify({ status: 404, detail }));
}

/** Makes the 404 response to a retrieval, the only error with an id (section 4.2). */
export function notRegistered(id: string): SandboxResponse {
  const detail = 'No organization is registered under this id.';
  const body = { status: 404, title: 'Organization not found', detail, id };
  return jsonResponse(404, JSON.stringify(body));
}
