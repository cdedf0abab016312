/** The field of a stored job, next to its payload, with the W3C trace context of the operation that enqueued it. */
const field = 'traceparent'

/** Adds the trace context, if there is one, to payloads that are objects. */
export const withTraceContext = (payload: unknown, traceparent: string | undefined): unknown =>
  traceparent !== undefined && isObject(payload) ? { ...payload, [field]: traceparent } : payload

/** Splits what is stored, by this or another version, into payload and trace context. */
export function splitTraceContext(data: unknown): { payload: unknown; traceparent?: string } {
  if (!isObject(data) || !(field in data)) return { payload: data }
  const { [field]: traceparent, ...payload } = data
  return { payload, ...(typeof traceparent === 'string' && { traceparent }) }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
