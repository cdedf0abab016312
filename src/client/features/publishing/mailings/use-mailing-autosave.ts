import { useEffect } from 'react'
import { useAutosave } from '#client/lib/use-autosave.ts'
import type { Mailing } from '#shared/contracts/publishing/mailings.ts'
import { useSaveMailing } from './mailings.api.ts'

export type MailingDraft = Pick<Mailing, 'subject' | 'preheader' | 'audience' | 'readerHours' | 'subjectTest'> & {
  news?: { title: string; body: string }
}

type StoredMailing = { version: number; draft: MailingDraft }

const storedOf = ({ version, kind, content, ...mailing }: Mailing): StoredMailing => ({
  version,
  draft: {
    subject: mailing.subject,
    preheader: mailing.preheader,
    audience: mailing.audience,
    readerHours: mailing.readerHours,
    subjectTest: mailing.subjectTest,
    ...(kind === 'news' && { news: { title: content.title, body: content.intro } }),
  },
})

export function useMailingAutosave(mailing: Mailing) {
  const saveMailing = useSaveMailing(mailing.id)
  const result = useAutosave({
    stored: storedOf(mailing),
    draftOf: ({ draft }) => draft,
    save: async (base, draft): Promise<StoredMailing> => {
      const { version } = await saveMailing({ version: base.version, ...draft })
      return { version, draft }
    },
  })
  const { autosave, stored, state } = result
  // Someone else saved a newer version, and nothing here is unsaved.
  const isOutdated = state.kind === 'saved' && mailing.version > stored.version
  useEffect(() => {
    // Since then, something may have been typed.
    if (isOutdated && autosave.get().state.kind === 'saved') autosave.replace(storedOf(mailing))
  }, [isOutdated, mailing, autosave])
  return result
}
