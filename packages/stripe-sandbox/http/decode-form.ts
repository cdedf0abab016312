import { invalid } from './errors.ts'

/** A decoded form before its types are known: strings and maps. Arrays are maps with keys from '0'. */
export type RawForm = string | RawMap
export type RawMap = { [key: string]: RawForm }

const maxDepth = 12
const maxPairs = 2000

const newMap = (): RawMap => Object.create(null) as RawMap

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalid('Invalid request: the parameters contain an invalid percent-encoding.')
  }
}

/** `items[0][price]` becomes ['items', '0', 'price']; `a[]` becomes ['a', '']. */
function splitKey(key: string): string[] {
  const open = key.indexOf('[')
  if (open === -1) return [key]
  const path = [key.slice(0, open)]
  const rest = key.slice(open)
  if (!/^(\[[^[\]]*\])+$/.test(rest)) throw invalid(`Invalid parameter name: ${key.slice(0, 80)}`)
  for (const match of rest.matchAll(/\[([^[\]]*)\]/g)) path.push(match[1] ?? '')
  return path
}

function assign(target: RawMap, path: string[], value: string, key: string): void {
  let node = target
  path.forEach((step, index) => {
    // Maps have no prototype, so `__proto__` is an ordinary name. It is rejected as an unknown parameter.
    if (step === '__proto__' || step === 'constructor' || step === 'prototype') {
      throw invalid(`Received unknown parameter: ${key.slice(0, 80)}`, key.slice(0, 80), 'parameter_unknown')
    }
    const name = step === '' && index > 0 ? String(Object.keys(node).length) : step
    if (index === path.length - 1) {
      if (typeof node[name] === 'object') throw invalid(`Invalid hash: ${key.slice(0, 80)}`, key.slice(0, 80))
      node[name] = value
      return
    }
    const next = node[name] ?? newMap()
    if (typeof next === 'string') throw invalid(`Invalid hash: ${key.slice(0, 80)}`, key.slice(0, 80))
    node[name] = next
    node = next
  })
}

/**
 * Parses `application/x-www-form-urlencoded` with nested brackets, as the official libraries encode it.
 * @throws ApiError 400 for an invalid encoding, too many pairs or too deep nesting
 */
export function decodeForm(text: string): RawMap {
  const form = newMap()
  const pairs = text.split('&').filter((pair) => pair !== '')
  if (pairs.length > maxPairs) throw invalid('Invalid request: too many parameters.')
  for (const pair of pairs) {
    const equals = pair.indexOf('=')
    const key = decode(equals === -1 ? pair : pair.slice(0, equals))
    const path = splitKey(key)
    if (path.length > maxDepth) throw invalid('Invalid request: the parameters are nested too deeply.')
    assign(form, path, equals === -1 ? '' : decode(pair.slice(equals + 1)), key)
  }
  return form
}
