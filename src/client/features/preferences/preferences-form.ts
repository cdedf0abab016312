import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { type Preferences, preferencesSchema } from '#shared/contracts/preferences.ts'

/** Form values while editing: the AI level may not be chosen yet, optional answers may be missing. */
export type PreferencesInput = z.input<typeof preferencesSchema>

/** One form for the wizard and for the preferences page; wrap the fields in `<FormProvider {...form}>`. */
export const usePreferencesForm = (saved?: Preferences | null) =>
  useForm<PreferencesInput, unknown, Preferences>({
    resolver: zodResolver(preferencesSchema),
    defaultValues: saved ? toInput(saved) : { focusAreas: [], aiLevel: undefined, goals: [], franchiseType: '' },
  })

/** Radio inputs hold strings, so no franchise type is the empty string. */
export const toInput = (saved: Preferences): PreferencesInput => ({
  ...saved,
  franchiseType: saved.franchiseType ?? '',
})
