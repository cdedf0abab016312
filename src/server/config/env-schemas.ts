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
