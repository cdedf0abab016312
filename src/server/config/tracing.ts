import { z } from 'zod'
import { httpUrl, withoutSlash } from './env-schemas.ts'

export type TracingConfig = {
  /** Address that takes traces as OTLP over HTTP. */
  url: string
  /** Sent with each batch. */
  headers: Record<string, string>
  serviceName: string
  /** Share of traces that are recorded, 0 to 1. */
  ratio: number
  /** Continues the traces of a proxy. */
  continuesTraces: boolean
}

/** `name=value` pairs, separated by commas, percent-encoded. */
const headers = z.string().transform((text, context) => {
  const pairs = text
    .split(',')
    .map((pair) => /^\s*([!#$%&'*+.^_`|~\w-]+)\s*=\s*(.*?)\s*$/.exec(pair))
    .map((match) => match && ([match[1] ?? '', decode(match[2] ?? '')] as const))
  if (pairs.every((pair) => pair !== null)) return Object.fromEntries(pairs)
  context.addIssue({ code: 'custom', message: 'must be name=value pairs, separated by commas' })
  return z.NEVER
})

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** The names of OpenTelemetry's specification. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.transform(withoutSlash).optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.literal('http/json', 'only http/json is supported').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headers.optional(),
  OTEL_SERVICE_NAME: z.string().min(1).default('front-counter'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  OTEL_SDK_DISABLED: z.enum(['true', 'false']).default('false'),
}

const variables = z.object(tracingVariables)

/** Null without an endpoint. */
export function tracingConfig(values: z.infer<typeof variables> & { TRUSTED_PROXIES: number }): TracingConfig | null {
  const base = values.OTEL_EXPORTER_OTLP_ENDPOINT
  const url = values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base}/v1/traces`)
  if (!url || values.OTEL_SDK_DISABLED === 'true') return null
  return {
    url,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    serviceName: values.OTEL_SERVICE_NAME,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
    continuesTraces: values.TRUSTED_PROXIES > 0,
  }
}
