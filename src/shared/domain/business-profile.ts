import { type VariableName, variables } from './variables.ts'

/** Fields that a reader enters once about the business. Everything else in a prompt is asked there. */
export const profileGroups = [
  {
    title: 'The business',
    names: [
      'store_name',
      'brand',
      'business_type',
      'city',
      'state',
      'area',
      'territory',
      'opening_hours',
      'location_count',
    ],
  },
  { title: 'How you sound', names: ['tone_of_voice', 'voice_sheet', 'customers'] },
  { title: 'Contact', names: ['owner_first_name', 'contact_line', 'website', 'manager_role'] },
  { title: 'Systems', names: ['pos_system', 'booking_system', 'scheduling_tool', 'crm', 'ai_tool'] },
  {
    title: 'Franchisor',
    names: ['franchisor_contact', 'franchisor_rules', 'brand_rules', 'royalty_rate', 'ad_fund_rate', 'royalty_base'],
  },
  { title: 'Figures', names: ['team_size', 'hourly_cost'] },
  { title: 'Kept private', names: ['private_words'] },
] as const satisfies readonly { title: string; names: readonly VariableName[] }[]

export type ProfileVariable = (typeof profileGroups)[number]['names'][number]

export const profileVariables = profileGroups.flatMap(({ names }) => [...names]) as [
  ProfileVariable,
  ...ProfileVariable[],
]

/** The same wherever the reader works. */
type SharedVariable = 'location_count' | 'owner_first_name' | 'private_words'
/** A location's name fills in `[store_name]`. */
export type LocationVariable = Exclude<ProfileVariable, SharedVariable | 'store_name'>

const notPerLocation: ReadonlySet<string> = new Set([
  'location_count',
  'owner_first_name',
  'private_words',
  'store_name',
])

/** Fields that a location may fill in instead of the profile. */
export const locationVariables = profileVariables.filter((name) => !notPerLocation.has(name)) as [
  LocationVariable,
  ...LocationVariable[],
]

/** Differs at most locations, so its form asks for these first, and prompts save them to the chosen location. */
export const usualLocationVariables = [
  'city',
  'state',
  'opening_hours',
  'area',
  'contact_line',
  'manager_role',
  'team_size',
] as const satisfies readonly LocationVariable[]

/** Texts by variable; a missing or empty one isn't known. */
export type Values<Name extends string = string> = Partial<Record<Name, string>>

export type Location = { name: string; values: Values<LocationVariable> }

export const valuesOfLocation = ({ name, values }: Location): Values<ProfileVariable> => ({
  ...values,
  store_name: name,
})

export const isProfileVariable = (name: string): name is ProfileVariable =>
  profileVariables.some((each) => each === name)

export const isLocationVariable = (name: string): name is LocationVariable =>
  locationVariables.some((each) => each === name)

export const maxLocations = 100
export const maxLocationNameLength = 100
export const maxValueLength = 2_000
/** Answers in a prompt may be pasted notes. */
export const maxAnswerLength = 4_000
export const maxAnswersPerPrompt = 40
/** For each reader. The oldest are forgotten first. */
export const maxRememberedAnswers = 2_000

/** Everything but line breaks and tabs. */
const controls = /(?![\t\n])\p{Cc}/u

export const hasControlCharacters = (text: string) => controls.test(text.replaceAll(/\r\n?/g, '\n'))

/** Pasted text without control characters; line breaks become spaces where the variable has a single line. */
export function cleanText(text: string, name: VariableName | null): string {
  const clean = text.replaceAll(/\r\n?/g, '\n').replaceAll(new RegExp(controls, 'gu'), ' ')
  return name === null || hasLines(name) ? clean : clean.replaceAll(/[\n\t]+/g, ' ')
}

export const hasLines = (name: VariableName) => variables[name].type === 'text' || variables[name].type === 'list'

/** A field as the reader saw it, and what it is now; empty for none. */
export type Change = { from: string; to: string }
export type Changes<Name extends string = string> = Partial<Record<Name, Change>>

/**
 * Applies changes to values that another tab or device may have changed. Other fields are left alone; a field that says
 * something third is a conflict, and then nothing applies. Applying the same changes twice is harmless.
 */
export function applyChanges<Name extends string>(
  current: Values<Name>,
  changes: Changes<Name>,
): { values: Values<Name>; conflicts: Name[] } {
  const values: Values<Name> = { ...current }
  const conflicts: Name[] = []
  for (const [name, { from, to }] of Object.entries(changes) as [Name, Change][]) {
    const stored = current[name] ?? ''
    if (stored !== from && stored !== to) conflicts.push(name)
    if (to === '') delete values[name]
    else values[name] = to
  }
  return conflicts.length > 0 ? { values: current, conflicts } : { values, conflicts }
}

/** Changed fields of a form. */
export function changesBetweenValues<Name extends string>(
  names: readonly Name[],
  before: Values<Name>,
  after: Values<Name>,
): Changes<Name> {
  const changed = names.filter((name) => (before[name] ?? '') !== (after[name] ?? '').trim())
  return Object.fromEntries(
    changed.map((name) => [name, { from: before[name] ?? '', to: (after[name] ?? '').trim() }]),
  ) as Changes<Name>
}
