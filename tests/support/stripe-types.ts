import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
const folder = join(dirname(require.resolve('stripe')), '../esm/resources')

type Member = { type: string; isOptional: boolean }
/** Interfaces and unions of a module of Stripe's SDK, by their full name such as `Subscription.PauseCollection`. */
export type SdkTypes = { interfaces: Map<string, Map<string, Member>>; unions: Map<string, string> }

/** The index after the brace that closes the one before `from`. */
function endOfBlock(text: string, from: number): number {
  let depth = 1
  let at = from
  while (depth > 0) {
    const char = text[at++]
    if (char === undefined) throw new Error('a block without an end')
    if (char === '{') depth += 1
    if (char === '}') depth -= 1
  }
  return at
}

/** Splits at a character that isn't inside of brackets or quotes. */
function splitOutside(text: string, separator: string): string[] {
  const parts = ['']
  let depth = 0
  let isQuoted = false
  for (const char of text) {
    if (char === "'") isQuoted = !isQuoted
    else if (!isQuoted && '{<('.includes(char)) depth += 1
    else if (!isQuoted && '}>)'.includes(char)) depth -= 1
    if (char === separator && depth === 0 && !isQuoted) parts.push('')
    else parts[parts.length - 1] += char
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

function membersOf(body: string): Map<string, Member> {
  const members = new Map<string, Member>()
  for (const part of splitOutside(body.replaceAll('=>', '->'), ';')) {
    const [, name = '', mark, type = ''] = /^'?([\w.]+)'?(\?)?:\s*([\s\S]+)$/.exec(part) ?? []
    if (name) members.set(name, { type: type.replaceAll(/\s+/g, ' '), isOptional: mark === '?' })
  }
  return members
}

function collect(text: string, prefix: string, into: SdkTypes): void {
  const declaration = /\b(namespace|interface|class) (\w+)[^{;]*\{|\btype (\w+) =/g
  for (let found = declaration.exec(text); found; found = declaration.exec(text)) {
    const [, kind, name = '', alias] = found
    if (alias) {
      const end = text.indexOf(';', declaration.lastIndex)
      into.unions.set(prefix + alias, text.slice(declaration.lastIndex, end).replaceAll(/\s+/g, ' ').trim())
      declaration.lastIndex = end
      continue
    }
    const end = endOfBlock(text, declaration.lastIndex)
    const body = text.slice(declaration.lastIndex, end - 1)
    if (kind === 'interface') into.interfaces.set(prefix + name, membersOf(body))
    if (kind === 'namespace') collect(body, `${prefix}${name}.`, into)
    declaration.lastIndex = end
  }
}

/** @param module such as `Subscriptions` or `Checkout/Sessions` */
export function readSdkTypes(module: string): SdkTypes {
  const types: SdkTypes = { interfaces: new Map(), unions: new Map() }
  const text = readFileSync(join(folder, `${module}.d.ts`), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
  collect(text, '', types)
  return types
}

export type SdkType = {
  mayBeNull: boolean
  /** Null unless the type is one of some texts. */
  texts: string[] | null
  /** The interface of this module that it is, or that its items are. */
  ref: string | null
}

/** Finds a name as TypeScript does: next to the interface that mentions it, or further out. */
function fullName(types: SdkTypes, name: string, inside: string): string | null {
  const path = inside.split('.')
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const full = [...path.slice(0, depth), name].join('.')
    if (types.interfaces.has(full) || types.unions.has(full)) return full
  }
  return null
}

/** @param inside full name of the interface that has the member */
export function describeType(types: SdkTypes, type: string, inside: string): SdkType {
  const result: SdkType = { mayBeNull: false, texts: null, ref: null }
  const texts: string[] = []
  let others = 0
  // `OtherString`: Stripe may add texts.
  for (const part of splitOutside(type, '|').filter((one) => one !== 'OtherString')) {
    const [, wrapped] = /^Emptyable<(.+)>$/.exec(part) ?? []
    const [, item] = /^Array<(.+)>$/.exec(part) ?? []
    const name = /^[\w.]+$/.test(part) ? fullName(types, part, inside) : null
    const union = name ? types.unions.get(name) : undefined
    if (part === 'null') result.mayBeNull = true
    else if (/^'.*'$/.test(part)) texts.push(part.slice(1, -1))
    else if (union !== undefined || wrapped !== undefined) {
      const inner = describeType(types, union ?? wrapped ?? '', name ?? inside)
      if (inner.texts) texts.push(...inner.texts)
      else others += 1
      result.ref ??= inner.ref
      result.mayBeNull ||= inner.mayBeNull
    } else {
      others += 1
      result.ref ??= item === undefined ? name : describeType(types, item, inside).ref
    }
  }
  if (others === 0 && texts.length > 0) result.texts = texts.sort()
  return result
}
