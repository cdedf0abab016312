import { keyOfLabel, newKey } from '#shared/domain/custom-fields.ts'
import { AppError } from '#shared/errors.ts'

type Stored = { key: string; label: string; retired: boolean }
type Written = { key: string | null; label: string }
/** `what`: "field" or "question". `stored` counts the retired ones. */
type Limits = { what: string; offered: number; stored: number }

const refuse = (message: string) => new AppError('validation_failed', { message })
const isSame = (one: string, other: string) => one.toLocaleLowerCase('en') === other.toLocaleLowerCase('en')

/**
 * The options as they are to be stored. Those that are left out are retired and keep their place. A key of null adds an
 * option; a label that was retired brings that option back.
 * @throws AppError validation_failed, edit_conflict
 */
export function arrangeOptions<Given extends Written>(
  before: readonly (Omit<Given, 'key'> & Stored)[],
  given: readonly Given[],
  { what, offered, stored }: Limits,
): (Omit<Given, 'key'> & Stored)[] {
  if (given.length === 0) throw refuse('Add at least one option.')
  if (given.length > offered) throw refuse(`A ${what} can have ${offered} options at a time.`)
  const kept = given.flatMap(({ key }) => key ?? [])
  if (new Set(kept).size < kept.length || kept.some((key) => before.every((option) => option.key !== key))) {
    throw new AppError('edit_conflict')
  }
  const twice = given.find(({ label }, at) => given.findIndex((other) => isSame(other.label, label)) !== at)
  if (twice) throw refuse(`The option “${twice.label}” is there twice.`)
  const taken = before.flatMap(({ key }) => [key, keyOfLabel(key)])
  const options = given.map((option) => {
    // An option that is written again is the one that was retired.
    const again = before.find(
      ({ key, label, retired }) => retired && !kept.includes(key) && isSame(label, option.label),
    )
    const key = option.key ?? again?.key ?? newKey(option.label, taken, 'option')
    taken.push(key)
    return { ...option, key, retired: false }
  })
  const all: (Omit<Given, 'key'> & Stored)[] = [...options]
  for (const [at, option] of before.entries()) {
    if (options.some(({ key }) => key === option.key)) continue
    const previous = all.findIndex(({ key }) => key === before[at - 1]?.key)
    all.splice(previous + 1, 0, { ...option, retired: true })
  }
  if (all.length > stored) {
    throw refuse(`A ${what} can have ${stored} options with the retired ones. Rename one instead.`)
  }
  return all
}
