import { z } from 'zod'

/* Schemas for environment variables. */

export const portNumber = z.coerce.number().int().min(1).max(65535)
export const flag = z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1')
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })
export const withoutSlash = (url: string) => url.replace(/\/+$/, '')

/** A comma-separated list. */
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean),
)

export type MonitoringConfig = {
  /** Bearer token for `/metrics` and the details of `/readyz`. */
  token: string | null
  /** Serves both on a port of their own, without the token if none is set. Then the main port has no `/metrics`. */
  listen: { host: string; port: number } | null
}

export const monitoringVariables = {
  MONITORING_TOKEN: z
    .string()
    .regex(/^[!-~]{16,}$/, 'must have at least 16 characters and no spaces')
    .optional(),
  MONITORING_PORT: portNumber.optional(),
  MONITORING_HOST: z.string().min(1).default('localhost'),
}

const variables = z.object(monitoringVariables)
type Values = z.infer<typeof variables>

export const monitoringConfig = (values: Values): MonitoringConfig => ({
  token: values.MONITORING_TOKEN ?? null,
  listen: values.MONITORING_PORT ? { host: values.MONITORING_HOST, port: values.MONITORING_PORT } : null,
})

export const monitoringConfigErrors = (values: Values & { PORT: number }): string[] =>
  values.MONITORING_PORT === values.PORT
    ? ['MONITORING_PORT: must differ from PORT (or set only MONITORING_TOKEN to use the main port)']
    : []
