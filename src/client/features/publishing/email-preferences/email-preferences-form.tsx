import { useState } from 'react'
import { submitHandler } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { ownWords, publication } from '#client/lib/publication.ts'
import { browserTimeZone } from '#client/lib/time-zone.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice, ChoiceGroup } from '#client/ui/choice.tsx'
import { FormError, SelectField } from '#client/ui/form.tsx'
import type { DropsChoice, EmailPreferences, RepliesChoice } from '#shared/contracts/publishing/email-preferences.ts'
import { type DropTime, formatHour, hoursOfDay, parseDropTime } from '#shared/domain/reader-hour.ts'
import { useSaveEmailPreferences } from './email-preferences.api.ts'

type DropTimeFieldProps = { saved: EmailPreferences; value: DropTime; onChange: (value: DropTime) => void }

/** When drops arrive: with everyone else's, when the reader usually reads, or at an hour of the day. */
function DropTimeField({ saved, value, onChange }: DropTimeFieldProps) {
  const { usualHour, timeZone } = saved
  const zone = browserTimeZone() ?? timeZone
  const usual = usualHour === null ? 'we don’t know it yet' : `about ${formatHour(usualHour)}`
  return (
    <SelectField
      label={ownWords`Drops arrive`}
      hint={zone ? `Within 24 hours of publication. Time zone: ${zone.replaceAll('_', ' ')}.` : undefined}
      fieldClassName="max-w-sm"
      value={String(value)}
      onChange={({ target }) => onChange(parseDropTime(target.value) ?? 'usual')}
      options={hoursOfDay.map((hour) => [hour, `At ${formatHour(hour)}`])}
    >
      <option value="publication">At the usual time</option>
      <option value="usual">At the hour I usually read ({usual})</option>
    </SelectField>
  )
}

const dropsOptions: readonly { value: DropsChoice; label: string; description: string }[] = [
  {
    value: 'weekly',
    label: 'Weekly',
    description: ownWords`Each drop the day it’s published, with your topics first.`,
  },
  { value: 'monthly', label: 'Monthly', description: ownWords`One digest of the month’s drops.` },
  { value: 'off', label: 'Off', description: ownWords`Read drops in the portal instead.` },
]

const repliesOptions: readonly { value: RepliesChoice; label: string; description: string }[] = [
  { value: 'at-once', label: 'At once', description: 'Replies within a few minutes come in one email.' },
  { value: 'daily', label: 'Once a day', description: 'At 8 AM, if there are new replies.' },
  { value: 'off', label: 'Never', description: ownWords`Read replies under the drop instead.` },
]

/** Email choices for each stream. A failed save keeps the form’s values. */
export function EmailPreferencesForm({ saved }: { saved: EmailPreferences }) {
  const [drops, setDrops] = useState(saved.drops)
  const [news, setNews] = useState(saved.news)
  const [followUps, setFollowUps] = useState(saved.followUps)
  const [assignments, setAssignments] = useState(saved.assignments)
  const [replies, setReplies] = useState(saved.replies)
  const [allowsTracking, setAllowsTracking] = useState(saved.allowsTracking)
  const [freeEdition, setFreeEdition] = useState(saved.freeEdition)
  const [dropTime, setDropTime] = useState(saved.dropTime)
  const [newsletters, setNewsletters] = useState(saved.newsletters)
  const save = useSaveEmailPreferences()

  const handleSubmit = submitHandler(save, () => {
    const done = () => toast.success('Your email preferences have been saved.', { id: 'email-preferences' })
    const chosen = newsletters.map(({ id, subscribed }) => ({ id, subscribed }))
    save.mutate(
      {
        ...{ drops, news, followUps, assignments, replies, allowsTracking, freeEdition, newsletters: chosen },
        ...(saved.dropTimeOffered && { dropTime, timeZone: browserTimeZone() ?? saved.timeZone ?? undefined }),
      },
      { onSuccess: done },
    )
  })

  return (
    <form onSubmit={handleSubmit} className="grid gap-12">
      {!saved.hasAccess && (
        <ChoiceGroup legend="Free edition">
          <Choice
            type="checkbox"
            name="freeEdition"
            label="Send me the free edition"
            description={ownWords`What is open to everyone of each drop. Members get every section.`}
            checked={freeEdition}
            onChange={(event) => setFreeEdition(event.target.checked)}
          />
        </ChoiceGroup>
      )}
      <ChoiceGroup legend={ownWords`Weekly drops`}>
        {dropsOptions.map(({ value, label, description }) => (
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
      {saved.dropTimeOffered && drops !== 'monthly' && (drops === 'weekly' || freeEdition) && (
        <DropTimeField saved={saved} value={dropTime} onChange={setDropTime} />
      )}
      {newsletters.length > 0 && (
        <ChoiceGroup legend="Newsletters">
          {newsletters.map(({ id, name, description, membersOnly, subscribed }) => (
            <Choice
              key={id}
              type="checkbox"
              label={name}
              description={[description, membersOnly && !saved.hasAccess && 'Sent to members only.']
                .filter(Boolean)
                .join(' ')}
              checked={subscribed}
              onChange={({ target }) =>
                setNewsletters(
                  newsletters.map((each) => (each.id === id ? { ...each, subscribed: target.checked } : each)),
                )
              }
            />
          ))}
        </ChoiceGroup>
      )}
      <ChoiceGroup legend="Product news">
        <Choice
          type="checkbox"
          name="news"
          label="Tell me about new features"
          description="A few times a year. No third-party ads."
          checked={news}
          onChange={(event) => setNews(event.target.checked)}
        />
      </ChoiceGroup>
      <ChoiceGroup legend="Did it work?">
        <Choice
          type="checkbox"
          name="followUps"
          label="Ask me a week later"
          description="One email, at most once a week, after you copy something or tap “Remind me in a week”."
          checked={followUps}
          onChange={(event) => setFollowUps(event.target.checked)}
        />
      </ChoiceGroup>
      {saved.hasAccess && (
        <ChoiceGroup legend={saved.isOnTeam ? 'Assignments and deadlines' : 'Deadlines'}>
          <Choice
            type="checkbox"
            name="assignments"
            label={saved.isOnTeam ? 'Email me about assignments and deadlines' : 'Remind me of my deadlines'}
            description={`At 8 AM when there’s time to prepare, and a week before.${saved.isOnTeam ? ' When something is assigned to you, before it’s due, and on Mondays a summary of what you assigned.' : ''}`}
            checked={assignments}
            onChange={(event) => setAssignments(event.target.checked)}
          />
        </ChoiceGroup>
      )}
      {publication.comments !== 'off' && (
        <ChoiceGroup
          legend="Replies to your answers"
          hint={ownWords`When someone replies to what you wrote under a drop, or the editor answers your question.`}
        >
          {repliesOptions.map(({ value, label, description }) => (
            <Choice
              key={value}
              type="radio"
              name="replies"
              label={label}
              description={description}
              checked={replies === value}
              onChange={() => setReplies(value)}
            />
          ))}
        </ChoiceGroup>
      )}
      {saved.trackingOffered && (
        <ChoiceGroup legend="Open and click tracking" hint="Off by default. It doesn’t affect what you receive.">
          <Choice
            type="checkbox"
            name="allowsTracking"
            label="Track when I open emails and click links"
            description="It shows us which items are useful. Each link counts once."
            checked={allowsTracking}
            onChange={(event) => setAllowsTracking(event.target.checked)}
          />
        </ChoiceGroup>
      )}
      <div className="grid gap-4 border-t border-line pt-6">
        <FormError>{formErrorMessage(save.error)}</FormError>
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" pending={save.isPending}>
            Save preferences
          </Button>
          <p className="text-sm text-muted">You always get emails about your account and payments.</p>
        </div>
      </div>
    </form>
  )
}
