import { readFileSync } from 'node:fs'
import type { RawMap } from '../http/decode-form.ts'
import type { JsonObject } from '../types.ts'
import { coerce, type Definitions, type ParamSchema } from './coerce-params.ts'
import { extraParams } from './extra-params.ts'

type ApiDescription = { 'x-api-version': string; $defs: Definitions }

const description = JSON.parse(readFileSync(new URL('./stripe-api.json', import.meta.url), 'utf8')) as ApiDescription

/** The API version of this sandbox. */
export const apiVersion = description['x-api-version']

export const defs: Definitions = { ...description.$defs, ...extraParams }

/** Names of parameter descriptions, such as `post_customers` or `get_customers`. */
function schemaFor(name: string): ParamSchema {
  const schema = defs[`params.${name}`]
  if (!schema) throw new Error(`no parameters described for ${name}`)
  return schema
}

/**
 * Validates a decoded form as the parameters of an operation.
 * @throws ApiError 400 with Stripe's message
 */
export function readParams(name: string, raw: RawMap): JsonObject {
  return coerce(schemaFor(name), raw, { defs, path: '' }) as JsonObject
}

/** Throws at startup, rather than on the first call, if a route names unknown parameters. */
export const assertDescribed = (name: string): void => void schemaFor(name)

/** Event types that a webhook endpoint may listen to, including `*`. */
export const knownEventTypes: ReadonlySet<string> = new Set(
  (defs['params.post_webhook_endpoints']?.properties?.enabled_events?.items?.enum ?? []).map(String),
)
