import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { channelOf, type LogFields, logChannel, type OperationName, type Operations } from '../traced.ts'
import { type Attributes, describe, type SpanKind } from './describe-operation.ts'

type Link = { traceId: string; spanId: string }

export type Span = {
  traceId: string
  spanId: string
  parentSpanId: string | null
  links: readonly Link[]
  name: string
  kind: SpanKind
  /** Milliseconds since 1970, with fractions. */
  startMs: number
  endMs: number
  attributes: Attributes
  isError: boolean
}

/** What spans and jobs continue. */
type Context = { traceId: string; spanId: string; isSampled: boolean }
type Open = Context & { parentSpanId: string | null; links: readonly Link[]; startMs: number }

type TracerOptions = {
  /** Share of traces that are recorded, 0 to 1. */
  ratio: number
  /** Continues the traces of a proxy, from the header `traceparent`. */
  continuesTraces: boolean
  onSpan: (span: Span) => void
}

const names: readonly OperationName[] = ['request', 'enqueue', 'job', 'email', 'stripe', 'statement', 'transaction']
/** These are recorded only as part of another operation: polling would fill the collector otherwise. */
const needsParent: ReadonlySet<OperationName> = new Set(['statement', 'transaction', 'enqueue'])
/** A job that starts later is a trace of its own, with a link. Collectors consider a trace complete after some time. */
const maxWaitMs = 60_000

const unrecorded: Open = { traceId: '', spanId: '', parentSpanId: null, links: [], startMs: 0, isSampled: false }

const now = () => performance.timeOrigin + performance.now()
const newId = (bytes: number) => randomBytes(bytes).toString('hex')

/** Makes spans of what the server reports. Returns the function that ends it. */
export function startTracer({ ratio, continuesTraces, onSpan }: TracerOptions): () => void {
  const storage = new AsyncLocalStorage<Open>()
  const opened = new WeakMap<object, Open>()

  function open(name: OperationName, operation: object): Open {
    // The queue may start a job in the context of any request.
    const current = name === 'job' ? undefined : storage.getStore()
    if (!current && needsParent.has(name)) return unrecorded
    const creator = name === 'job' ? creatorOf(operation as Operations['job']) : undefined
    const parent =
      current ?? creator?.parent ?? (name === 'request' ? proxyContext(operation as Operations['request']) : undefined)
    const traceId = parent?.traceId ?? newId(16)
    const span: Open = {
      ...{
        traceId,
        spanId: newId(8),
        parentSpanId: parent?.spanId ?? null,
        links: creator?.links ?? [],
        startMs: now(),
      },
      isSampled: parent ? parent.isSampled : isSampled(traceId, ratio),
    }
    if (name === 'enqueue' && traceId) (operation as Operations['enqueue']).traceparent = formatTraceparent(span)
    opened.set(operation, span)
    return span
  }

  /** A proxy's decision about sampling isn't followed. */
  function proxyContext({ traceparent }: Operations['request']): Context | undefined {
    const context = continuesTraces ? parseTraceparent(traceparent) : undefined
    return context && { ...context, isSampled: isSampled(context.traceId, ratio) }
  }

  function close(name: OperationName, operation: object) {
    const span = opened.get(operation)
    if (!span?.isSampled) return
    const description = describe(name, operation as Operations[OperationName], 'error' in operation)
    if (!description) return
    const { traceId, spanId, parentSpanId, links, startMs } = span
    onSpan({ traceId, spanId, parentSpanId, links, startMs, endMs: now(), ...description })
  }

  const stops = names.map((name) => {
    const { start, asyncEnd } = channelOf(name)
    const finish = (operation: unknown) => close(name, operation as object)
    start.bindStore(storage, (operation) => open(name, operation as object))
    asyncEnd.subscribe(finish)
    return () => {
      start.unbindStore(storage)
      asyncEnd.unsubscribe(finish)
    }
  })
  const fillIn = (fields: unknown) => {
    const current = storage.getStore()
    if (current?.isSampled) {
      Object.assign(fields as LogFields, { trace_id: current.traceId, span_id: current.spanId } satisfies LogFields)
    }
  }
  logChannel.subscribe(fillIn)
  return () => {
    logChannel.unsubscribe(fillIn)
    for (const stop of stops) stop()
  }
}

/** The span that enqueued the job. */
function creatorOf({ traceparent, waitedMs = 0 }: Operations['job']) {
  const context = parseTraceparent(traceparent)
  if (!context) return undefined
  const { traceId, spanId, isSampled } = context
  return { parent: waitedMs < maxWaitMs ? context : undefined, links: isSampled ? [{ traceId, spanId }] : [] }
}

/** W3C Trace Context: version, trace id, span id, flags. */
const traceparentPattern = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

function parseTraceparent(traceparent = ''): Context | undefined {
  const [, traceId, spanId, flags] = traceparentPattern.exec(traceparent) ?? []
  return traceId && spanId && flags ? { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 } : undefined
}

const formatTraceparent = ({ traceId, spanId, isSampled }: Context) =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`

/** By the trace id, so that all servers decide alike. */
const isSampled = (traceId: string, ratio: number) => Number.parseInt(traceId.slice(-8), 16) < ratio * 2 ** 32
