/** Error body of `/rest/v1`. All four members are always present. */
export type RestErrorBody = { code: string; message: string; details: string | null; hint: string | null }

/** An expected error, with the protocol's code and message. */
export class RestError extends Error {
  readonly status: number
  readonly body: RestErrorBody

  constructor(status: number, code: string, message: string, more: { details?: string; hint?: string } = {}) {
    super(message)
    this.name = 'RestError'
    this.status = status
    this.body = { code, message, details: more.details ?? null, hint: more.hint ?? null }
  }
}

export const restErrors = {
  unknownPath: () => new RestError(404, 'PGRST125', 'Invalid path specified in request URL'),
  unknownTable: (name: string) =>
    new RestError(404, 'PGRST205', `Could not find the table 'public.${name}' in the schema cache`),
  unknownFunction: (name: string) =>
    new RestError(404, 'PGRST202', `Could not find the function public.${name} in the schema cache`),
  unknownSchema: () => new RestError(406, 'PGRST106', 'The schema must be one of the following: public'),
  unknownColumn: (table: string, column: string) =>
    new RestError(400, '42703', `column ${table}.${column} does not exist`),
  malformed: (what: string, text: string) =>
    new RestError(400, 'PGRST100', `"failed to parse ${what} (${text})"`, {
      details: 'Supported: select, the filters eq, neq, gt, gte, lt, lte, in and is, order, limit and offset',
    }),
  notAcceptable: (types: string) => new RestError(406, 'PGRST107', `None of these media types are available: ${types}`),
  notOneRow: (rows: number) =>
    new RestError(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
      details: `The result contains ${rows} rows`,
    }),
  badRange: (details: string) => new RestError(416, 'PGRST103', 'Requested range not satisfiable', { details }),
  readOnly: (method: string) =>
    new RestError(405, 'PGRST117', `Unsupported HTTP method: ${method}`, {
      details: 'Tables are read-only. Use the functions to change data.',
    }),
  badToken: (message: string) => new RestError(401, 'PGRST301', message),
  expiredToken: () => new RestError(401, 'PGRST303', 'JWT expired'),
  noPrivilege: (table: string) => new RestError(401, '42501', `permission denied for table ${table}`),
  unexpected: (message: string) => new RestError(500, 'XX000', message),
}
