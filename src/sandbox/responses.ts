/** A request without its socket. */
export interface PlainRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly authorization: string | undefined;
  /** Undefined when it was larger than `largestBodyBytes`. */
  readonly body: Buffer | undefined;
}

/** The largest request body that the sandbox reads. */
export const maxBodyBytes = 1024 * 1024;

/** An answer without its socket. */
export interface SandboxResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** How a fault spoils its way: see `faultKinds`. */
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

/* Not of the specification: by it a client can tell people that the figures are no research. */
const synthetic = { 'Carbon-Sandbox': 'synthetic' };

/** Makes the answer of a JSON text. */
export function jsonAnswer(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): SandboxResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...synthetic, ...headers },
    body,
  };
}

/** Makes an error answer with status, title and detail (section 2.10). */
export function problem(
  status: number,
  detail: string,
  headers?: Readonly<Record<string, string>>,
): SandboxResponse {
  return jsonAnswer(
    status,
    JSON.stringify({ status, title: titles[status] ?? 'Error', detail }),
    headers,
  );
}

/**
 * Makes the answer to an unauthorized request (section 5), with the challenge of RFC 9110 section
 * 11.6.1.
 */
export function unauthorized(detail: string): SandboxResponse {
  return problem(401, detail, { 'WWW-Authenticate': 'Bearer' });
}

/** Makes the 404 of registration: status and detail only (section 4.1). */
export function nothingMatches(detail: string): SandboxResponse {
  return jsonAnswer(404, JSON.stringify({ status: 404, detail }));
}

/** Makes the 404 of retrieval, the only error with an id (section 4.2). */
export function notRegistered(id: string): SandboxResponse {
  const detail = 'No organization is registered under this id.';
  return jsonAnswer(
    404,
    JSON.stringify({ status: 404, title: 'Organization not found', detail, id }),
  );
}
