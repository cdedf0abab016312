import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice, ChoiceGroup } from '#client/ui/choice.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import type { DropsChoice, EmailPreferences } from '#shared/contracts/email-preferences.ts'
import { useSaveEmailPreferences } from './email-preferences.api.ts'

const ofDrops: readonly { value: DropsChoice; label: string; description: string }[] = [
  { value: 'weekly', label: 'Every week', description: 'Each drop on the day it comes out, in your order.' },
  { value: 'monthly', label: 'Once a month', description: 'One digest of the month’s drops.' },
  { value: 'off', label: 'Not by mail', description: 'You read them in the portal.' },
]

/** What comes by mail, stream by stream. A failed save keeps what was chosen. */
export function EmailPreferencesForm({ saved }: { saved: EmailPreferences }) {
  const [drops, setDrops] = useState(saved.drops)
  const [news, setNews] = useState(saved.news)
  const [allowsTracking, setAllowsTracking] = useState(saved.allowsTracking)
  const save = useSaveEmailPreferences()

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (save.isPending) return
    const done = () => toast.success('Your choices have been saved.', { id: 'mail-preferences' })
    save.mutate({ drops, news, allowsTracking }, { onSuccess: done })
  }

  return (
    <form onSubmit={handleSubmit} className="grid gap-12">
      <ChoiceGroup legend="Weekly drops">
        {ofDrops.map(({ value, label, description }) => (
          <Choice
            key={value}
            type="radio"
            name="drops"
            label={label}
            description={description}
            checked={drops === value}
            onChange={() => setDrops(value)}
          />
        ))}
      </ChoiceGroup>
      <ChoiceGroup legend="Product news">
        <Choice
          type="checkbox"
          name="news"
          label="Tell me about new features"
          description="A few times a year, and never an advertisement for somebody else."
          checked={news}
          onChange={(event) => setNews(event.target.checked)}
        />
      </ChoiceGroup>
      {saved.trackingOffered && (
        <ChoiceGroup legend="Counting" hint="Off unless you allow it. Nothing else depends on it.">
          <Choice
            type="checkbox"
            name="allowsTracking"
            label="Count when I open a mail or follow its links"
            description="It tells us which items are of use. Counted are you and the link, once."
            checked={allowsTracking}
            onChange={(event) => setAllowsTracking(event.target.checked)}
          />
        </ChoiceGroup>
      )}
      <div className="grid gap-4 border-t border-line pt-6">
        <FormError>{formErrorMessage(save.error)}</FormError>
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" pending={save.isPending}>
            Save choices
          </Button>
          <p className="text-sm text-muted">Mail about your account and your payments always comes.</p>
        </div>
      </div>
    </form>
  )
}
