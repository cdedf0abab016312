import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { channelOf, type OperationName, type Operations } from '../traced.ts'
import { type Attributes, describe, type SpanKind } from './describe-operation.ts'

export type Span = {
  traceId: string
  spanId: string
  parentSpanId: string | null
  name: string
  kind: SpanKind
  /** Milliseconds since 1970, with fractions. */
  startMs: number
  endMs: number
  attributes: Attributes
  isError: boolean
}

type Open = { traceId: string; spanId: string; parentSpanId: string | null; startMs: number; isSampled: boolean }

type TracerOptions = {
  /** Share of traces that are recorded, 0 to 1. */
  ratio: number
  /** Continues the traces of a proxy, from the header `traceparent`. */
  continuesTraces: boolean
  onSpan: (span: Span) => void
}

const names: readonly OperationName[] = ['request', 'job', 'email', 'stripe', 'statement', 'transaction']
/** These are recorded only as part of another operation: polling would fill the collector otherwise. */
const needsParent: ReadonlySet<OperationName> = new Set(['statement', 'transaction'])

const unrecorded: Open = { traceId: '', spanId: '', parentSpanId: null, startMs: 0, isSampled: false }

const now = () => performance.timeOrigin + performance.now()
const newId = (bytes: number) => randomBytes(bytes).toString('hex')

/** Makes spans of what the server reports. Returns the function that ends it. */
export function startTracer({ ratio, continuesTraces, onSpan }: TracerOptions): () => void {
  const storage = new AsyncLocalStorage<Open>()
  const opened = new WeakMap<object, Open>()

  function open(name: OperationName, operation: object): Open {
    const parent = storage.getStore()
    if (!parent && needsParent.has(name)) return unrecorded
    const remote = !parent && continuesTraces && name === 'request' ? remoteParent(operation) : undefined
    const traceId = (parent ?? remote)?.traceId ?? newId(16)
    const span = {
      ...{ traceId, spanId: newId(8), parentSpanId: (parent ?? remote)?.spanId ?? null, startMs: now() },
      isSampled: parent ? parent.isSampled : isSampled(traceId, ratio),
    }
    opened.set(operation, span)
    return span
  }

  function close(name: OperationName, operation: object) {
    const span = opened.get(operation)
    if (!span?.isSampled) return
    const description = describe(name, operation as Operations[OperationName], 'error' in operation)
    if (!description) return
    const { traceId, spanId, parentSpanId, startMs } = span
    onSpan({ traceId, spanId, parentSpanId, startMs, endMs: now(), ...description })
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
  return () => {
    for (const stop of stops) stop()
  }
}

/** W3C Trace Context: version, trace id, id of the proxy's span, flags. */
const traceparentPattern = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/

function remoteParent(operation: object): { traceId: string; spanId: string } | undefined {
  const [, traceId, spanId] = traceparentPattern.exec((operation as Operations['request']).traceparent ?? '') ?? []
  return traceId && spanId ? { traceId, spanId } : undefined
}

/** By the trace id, so that all servers decide alike. */
const isSampled = (traceId: string, ratio: number) => Number.parseInt(traceId.slice(-8), 16) < ratio * 2 ** 32
