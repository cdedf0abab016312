import type { SettingField, SettingValues } from '#shared/contracts/publishing/site-settings.ts'

/** `required`: fields that the text must keep. `mayBeEmpty`: an empty text is a choice, not a mistake. */
export type KnownSetting = SettingField & {
  required?: readonly string[]
  mayBeEmpty?: boolean
  /** Brings a value that has no problem into one form. */
  normalize?: (value: string) => string
  /** Mistakes beyond those that the kind of the field forbids. */
  findProblem?: (value: string, values: SettingValues) => string | null
}
