import { channel, tracingChannel } from 'node:diagnostics_channel'

/**
 * Operations that become spans. Fields that are known later are set by the work. No field contains an id, an address, a
 * value or a raw path.
 */
export type Operations = {
  request: { method: string; traceparent?: string; route?: string; status?: number }
  /** The tracer sets `traceparent`, which the jobs carry. */
  enqueue: { name: string; count: number; traceparent?: string }
  /** `traceparent` is what the job carries. `waitedMs` is the time from being enqueued to this attempt. */
  job: { name: string; attempt: number; traceparent?: string; waitedMs?: number }
  email: { kind: 'account' | 'newsletter'; outcome?: string }
  /** `path` may contain ids; the tracer replaces them. */
  stripe: { method: string; path: string; status?: number }
  statement: { text: string }
  transaction: object
}
export type OperationName = keyof Operations

export const channelOf = (name: OperationName) => tracingChannel<object>(`front-counter.${name}`)

/** The fields by which a log line is found from a trace, in OpenTelemetry's names. */
export type LogFields = { trace_id?: string; span_id?: string }

/** The tracer fills in the fields of log lines that this gets. */
export const logChannel = channel('front-counter.log')

/** Fields of a log line that is written now. None while tracing is off, or outside of recorded traces. */
export function readLogFields(): LogFields {
  const fields: LogFields = {}
  if (logChannel.hasSubscribers) logChannel.publish(fields)
  return fields
}

const channels = {
  request: channelOf('request'),
  enqueue: channelOf('enqueue'),
  job: channelOf('job'),
  email: channelOf('email'),
  stripe: channelOf('stripe'),
  statement: channelOf('statement'),
  transaction: channelOf('transaction'),
}

/** Runs `work` as a span. Costs almost nothing while tracing is off. */
export const traced = <N extends OperationName, T>(
  name: N,
  operation: Operations[N],
  work: () => Promise<T>,
): Promise<T> =>
  channels[name].start.hasSubscribers ? channels[name].tracePromise<unknown, [], T>(work, operation) : work()
