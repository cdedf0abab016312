import type { ApiObject, Json, JsonObject } from '../types.ts'
import { type ParamSchema, resolve } from './coerce-params.ts'
import { defs } from './read-params.ts'

/** The empty value of a field: null if it may be null or anything. Undefined for a text, a number or one of several values. */
function emptyValue(given: ParamSchema): Json | undefined {
  const schema = resolve(given, defs)
  const types = [schema.type, ...(schema.anyOf ?? []).map((option) => resolve(option, defs).type)].flat()
  if (types.includes('null') || Object.keys(schema).length === 0) return null
  if (schema.enum?.length === 1) return schema.enum[0]
  if (types.includes('array')) return []
  if (types.includes('boolean')) return false
  return types.includes('object') ? emptyObject(schema) : undefined
}

function emptyObject({ properties = {}, required = [] }: ParamSchema): JsonObject | undefined {
  const fields = required.map((name) => [name, emptyValue(properties[name] ?? {})] as const)
  return fields.every(([, value]) => value !== undefined) ? Object.fromEntries(fields) : undefined
}

/**
 * A new API object. Required fields of the API description that aren't given are empty, in the description's order.
 * @throws if a field is missing that has no empty value
 */
export function build<T extends ApiObject>(type: string, fields: Partial<T>): T {
  const { properties = {}, required = [] } = resolve({ $ref: `#/$defs/${type}` }, defs)
  const given = fields as JsonObject
  const object: JsonObject = {}
  for (const name of Object.keys({ ...properties, ...given })) {
    const isRequired = required.includes(name)
    const value = name in given || !isRequired ? given[name] : emptyValue(properties[name] ?? {})
    if (value !== undefined) object[name] = value
    else if (isRequired) throw new Error(`${type} without ${name}`)
  }
  return object as T
}
