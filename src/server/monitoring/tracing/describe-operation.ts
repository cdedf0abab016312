import { AppError } from '#shared/errors.ts'
import type { OperationName, Operations } from '../traced.ts'
import { summarizeStatement } from './summarize-statement.ts'

/** As numbers in OTLP: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
export type SpanKind = 1 | 2 | 3 | 4 | 5
export type Attributes = Record<string, string | number>
type Description = { name: string; kind: SpanKind; attributes: Attributes; isError: boolean }

/** Monitors ask every few seconds. */
const unrecordedRoutes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

const descriptions: { [N in OperationName]: (operation: Operations[N]) => Omit<Description, 'isError'> | null } = {
  request: ({ method, route = '', status = 0 }) =>
    unrecordedRoutes.has(route)
      ? null
      : {
          name: `${method} ${route}`,
          kind: 2,
          attributes: { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
        },
  enqueue: ({ name, count }) => ({
    name: `enqueue ${name}`,
    kind: 4,
    attributes: {
      ...messaging(name, 'enqueue', 'send'),
      ...(count > 1 && { 'messaging.batch.message_count': count }),
    },
  }),
  job: ({ name, attempt }) => ({
    name: `process ${name}`,
    kind: 5,
    attributes: { ...messaging(name, 'process', 'process'), 'front_counter.job.attempt': attempt },
  }),
  email: ({ kind, outcome }) => ({
    name: `email ${kind}`,
    kind: 3,
    attributes: { 'front_counter.email.kind': kind, ...(outcome && { 'front_counter.email.outcome': outcome }) },
  }),
  stripe: ({ method, path, status }) => {
    const template = withoutIds(path)
    return {
      name: `Stripe ${method} ${template}`,
      kind: 3,
      attributes: {
        'http.request.method': method,
        'url.template': template,
        ...(status && { 'http.response.status_code': status }),
      },
    }
  },
  statement: ({ text }) => {
    const { operation, summary } = summarizeStatement(text)
    return {
      name: summary,
      kind: 3,
      attributes: { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.summary': summary },
    }
  },
  transaction: () => ({ name: 'transaction', kind: 1, attributes: { 'db.system.name': 'postgresql' } }),
}

const messaging = (queue: string, name: string, type: 'send' | 'process') => ({
  'messaging.system': 'pg-boss',
  'messaging.operation.name': name,
  'messaging.operation.type': type,
  'messaging.destination.name': queue,
})

/** In the names of OpenTelemetry's conventions where they have one. Null for operations that aren't recorded. */
export function describe<N extends OperationName>(
  name: N,
  operation: Operations[N],
  hasFailed: boolean,
): Description | null {
  const description = descriptions[name](operation)
  if (!description) return null
  const type = hasFailed ? errorType((operation as { error?: unknown }).error) : null
  const status = Number(description.attributes['http.response.status_code'] ?? 0)
  return {
    ...description,
    attributes: { ...description.attributes, ...(type && { 'error.type': type }) },
    isError: hasFailed || status >= 500,
  }
}

/** Messages of errors may contain addresses and values; codes and classes don't. */
function errorType(error: unknown): string {
  if (error instanceof AppError) return error.code
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code === 'string' && /^\w{1,40}$/.test(code)) return code
  return error instanceof Error ? error.constructor.name : 'Error'
}

/** Names of Stripe's paths are lowercase words; all else is an id. */
const withoutIds = (path: string) =>
  (path.split('?')[0] ?? '')
    .split('/')
    .map((part, index) => (index < 2 || /^[a-z]+(_[a-z]+)*$/.test(part) ? part : ':id'))
    .join('/')
