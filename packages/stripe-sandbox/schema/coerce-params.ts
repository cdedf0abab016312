import type { RawForm, RawMap } from '../http/decode-form.ts'
import { type ApiError, invalid } from '../http/errors.ts'
import type { Json, JsonObject } from '../types.ts'

/** The part of JSON Schema that the parameter descriptions use. */
export type ParamSchema = {
  $ref?: string
  type?: string | string[]
  properties?: { [name: string]: ParamSchema }
  required?: string[]
  additionalProperties?: boolean | ParamSchema
  items?: ParamSchema
  anyOf?: ParamSchema[]
  enum?: (string | null)[]
  const?: Json
  pattern?: string
}

export type Definitions = { [name: string]: ParamSchema | undefined }

/** Fields that Stripe clears with an empty string, although the API description doesn't say so. */
const clearable = new Set([
  ...['description', 'email', 'name', 'phone', 'nickname', 'lookup_key', 'comment', 'default_payment_method'],
  ...['line1', 'line2', 'city', 'state', 'country', 'postal_code', 'footer', 'statement_descriptor'],
])

const maxText = 5000

type Place = { defs: Definitions; path: string }

const below = (place: Place, name: string): Place => ({
  defs: place.defs,
  path: place.path === '' ? name : `${place.path}[${name}]`,
})

const leaf = (path: string): string => /\[?([^[\]]+)\]?$/.exec(path)?.[1] ?? path

export function resolve(schema: ParamSchema, defs: Definitions): ParamSchema {
  if (!schema.$ref) return schema
  const found = defs[schema.$ref.replace('#/$defs/', '')]
  if (!found) throw new Error(`unknown schema ${schema.$ref}`)
  return resolve(found, defs)
}

function coerceText(schema: ParamSchema, raw: string, { path }: Place): string {
  if (schema.enum && !schema.enum.includes(raw)) {
    const known = schema.enum.filter((value) => value !== null)
    const listed = known.length > 12 ? `${known.slice(0, 12).join(', ')}, …` : known.join(', ')
    throw invalid(`Invalid ${path}: must be one of ${listed}`, path)
  }
  if (raw === '' && !clearable.has(leaf(path))) {
    throw invalid(
      `You passed an empty string for '${path}'. We assume empty values are an attempt to unset a parameter; ` +
        `however '${path}' cannot be unset. You should remove '${path}' from your request or supply a non-empty value.`,
      path,
      'parameter_invalid_empty',
    )
  }
  if (raw.length > maxText) throw invalid(`Invalid string: '${path}' must be at most ${maxText} characters`, path)
  if (schema.pattern && !new RegExp(schema.pattern).test(raw)) throw invalid(`Invalid decimal: ${path}`, path)
  return raw
}

function coerceNumber(raw: string, kind: 'integer' | 'number', { path }: Place): number {
  const form = kind === 'integer' ? /^-?\d{1,15}$/ : /^-?\d{1,15}(\.\d{1,12})?$/
  if (!form.test(raw)) throw invalid(`Invalid ${kind}: ${raw.slice(0, 40)}`, path, `parameter_invalid_${kind}`)
  return Number(raw)
}

function coerceScalar(schema: ParamSchema, raw: RawForm, place: Place): Json {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? 'string']
  if (typeof raw !== 'string')
    throw invalid(`Invalid ${types[0]}: ${place.path} must not be a hash or array`, place.path)
  // Metadata values alone have several types. They are sent as strings; an empty string removes the key.
  if (types.length > 1) return raw
  if (types[0] === 'integer' || types[0] === 'number') return coerceNumber(raw, types[0], place)
  if (types[0] === 'boolean') {
    if (raw !== 'true' && raw !== 'false') throw invalid(`Invalid boolean: ${raw.slice(0, 40)}`, place.path)
    return raw === 'true'
  }
  return coerceText(schema, raw, place)
}

function coerceArray(schema: ParamSchema, raw: RawForm, place: Place): Json[] {
  const keys = typeof raw === 'string' ? [] : Object.keys(raw).sort((a, b) => Number(a) - Number(b))
  if (typeof raw === 'string' || keys.some((key, index) => key !== String(index))) {
    throw invalid('Invalid array', place.path)
  }
  return keys.map((key) => coerce(schema.items ?? {}, raw[key] ?? '', below(place, key)))
}

/** A map without described properties. Its values stay strings. */
function plain(raw: RawMap): JsonObject {
  return Object.fromEntries(
    Object.entries(raw).map(([key, value]) => [key, typeof value === 'string' ? value : plain(value)]),
  )
}

function coerceObject(schema: ParamSchema, raw: RawForm, place: Place): JsonObject {
  if (typeof raw === 'string') throw invalid('Invalid object', place.path)
  const { properties, additionalProperties: others } = schema
  if (!properties && typeof others !== 'object') return plain(raw)
  const unknown = Object.keys(raw).find((key) => !Object.hasOwn(properties ?? {}, key) && typeof others !== 'object')
  if (unknown !== undefined) {
    const path = below(place, unknown).path.slice(0, 120)
    throw invalid(`Received unknown parameter: ${path}`, path, 'parameter_unknown')
  }
  for (const name of schema.required ?? []) {
    const path = below(place, name).path
    if (raw[name] === undefined) throw invalid(`Missing required param: ${path}.`, path, 'parameter_missing')
  }
  const result: JsonObject = {}
  for (const [key, value] of Object.entries(raw)) {
    const inner = properties?.[key] ?? (typeof others === 'object' ? others : {})
    result[key] = coerce(inner, value, below(place, key))
  }
  return result
}

function coerceAny(options: ParamSchema[], raw: RawForm, place: Place): Json {
  let complaint: ApiError | undefined
  for (const option of options) {
    const schema = resolve(option, place.defs)
    if ('const' in schema) {
      if (schema.const === raw) return raw
      continue
    }
    const structured = schema.type === 'object' || schema.type === 'array'
    // The most helpful error is that of the last alternative with the same shape (string or map).
    if (structured !== (typeof raw !== 'string') && complaint) continue
    try {
      return coerce(schema, raw, place)
    } catch (error) {
      complaint = error as ApiError
    }
  }
  throw complaint ?? invalid(`Invalid value for ${place.path}`, place.path)
}

/**
 * Converts decoded strings to the types in the schema, and rejects everything that isn't in it.
 * @throws ApiError 400 `parameter_unknown`, `parameter_missing`, `parameter_invalid_integer`, …
 */
export function coerce(given: ParamSchema, raw: RawForm, place: Place): Json {
  const schema = resolve(given, place.defs)
  if (schema.anyOf) return coerceAny(schema.anyOf, raw, place)
  if ('const' in schema) {
    if (schema.const !== raw) throw invalid(`Invalid ${place.path}: must be ${String(schema.const)}`, place.path)
    return raw as string
  }
  if (schema.type === 'array') return coerceArray(schema, raw, place)
  if (schema.type === 'object') return coerceObject(schema, raw, place)
  if (!schema.type && !schema.enum && typeof raw !== 'string') return plain(raw)
  return coerceScalar(schema, raw, place)
}
