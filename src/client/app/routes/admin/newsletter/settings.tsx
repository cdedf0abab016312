import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDomainLimits, parseDomainLimits } from '#client/features/publishing/mailings/domain-limits-text.ts'
import { sendingSettingsQuery } from '#client/features/publishing/mailings/settings.api.ts'
import { CallError } from '#client/lib/calls.ts'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { mergeChanges } from '#client/lib/merge-changes.ts'
import { ownWords } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice } from '#client/ui/choice.tsx'
import { EditConflict } from '#client/ui/edit-conflict.tsx'
import { FormError, InlineError, SelectField, TextAreaField, TextField } from '#client/ui/form.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading, Section } from '#client/ui/page-parts.tsx'
import {
  adminSendingSettingsCall,
  postalAddressLimits,
  type SendingSettings,
  type SendingSettingsPage,
  sendingSettingsSchema,
  type VersionedSendingSettings,
} from '#shared/contracts/publishing/sending-settings.ts'
import { zonesWith } from '#shared/domain/zoned-time.ts'

export function Component() {
  return (
    <>
      <PageHeading title="Sending" />
      <div className="pt-8">
        <h2 className="sr-only">Settings</h2>
        <SettingsForm />
      </div>
    </>
  )
}

/** The newer settings, if someone else saved them meanwhile. */
function conflictOf(error: Error | null): VersionedSendingSettings | null {
  if (!(error instanceof CallError) || error.code !== 'edit_conflict') return null
  return (error.body as { current?: VersionedSendingSettings }).current ?? null
}

function SettingsForm() {
  const settings = useQuery(sendingSettingsQuery)
  if (settings.data) return <Fields settings={settings.data} />
  return <QueryPlaceholder query={settings} what="the settings" lines={8} height="h-11" className="max-w-xl" />
}

/** Flattened, so that two people's changes of different limits are merged instead of conflicting. */
type FlatSettings = Omit<SendingSettings, 'limits'> & SendingSettings['limits']

const labels: Record<keyof FlatSettings, string> = {
  replyTo: 'Reply-To',
  postalAddress: 'Postal address',
  timeZone: 'Time zone',
  readerHours: 'Readers’ own hours',
  digest: 'Monthly digest',
  perSecond: 'Emails per second',
  perHour: 'Emails per hour',
  perDomainHour: 'Emails per hour by receiving domain',
  warmUp: 'Warm-up',
  tracking: 'Tracking',
}

const flatten = ({
  limits,
  timeZone,
  tracking,
  readerHours,
  digest,
  replyTo,
  postalAddress,
}: SendingSettings): FlatSettings => ({
  ...{ timeZone, tracking, readerHours: readerHours ?? false, ...limits },
  ...{ digest: digest ?? 'draft', replyTo: replyTo ?? '', postalAddress: postalAddress ?? '' },
})

const nest = ({ perSecond, perHour, perDomainHour, warmUp, ...others }: FlatSettings): SendingSettings => ({
  ...others,
  limits: { perSecond, perHour, perDomainHour, warmUp },
})

function Fields({ settings }: { settings: SendingSettingsPage }) {
  /** Values that the fields started with. Filled again when `round` changes. */
  const [{ base, round }, setFilled] = useState({ base: settings, round: 0 })
  const { timeZone, limits, tracking, readerHours, digest } = base
  const save = useChange(adminSendingSettingsCall, { stores: sendingSettingsQuery, done: 'Settings saved' })
  const theirs = conflictOf(save.error)
  const mine = save.variables?.save
  const merged = theirs && mine && mergeChanges(flatten(base), flatten(mine), flatten(theirs))
  const textOf = (value: FlatSettings[keyof FlatSettings]) =>
    typeof value === 'object' ? null : String(value ?? 'No limit')
  const fillWith = (values: VersionedSendingSettings) => {
    setFilled({ base: { ...base, ...values }, round: round + 1 })
    save.reset()
  }
  const [limitErrors, setLimitErrors] = useState<LimitErrors>({})
  const [senderErrors, setSenderErrors] = useState<SenderErrors>({})
  const handleSubmit = submitHandler(save, (_text, form) => {
    const { limits: chosenLimits, errors: newLimitErrors } = readLimits(form)
    setLimitErrors(newLimitErrors)
    if (newLimitErrors.domains || newLimitErrors.warmUp) return
    const sender = {
      replyTo: String(form.get('replyTo') ?? ''),
      postalAddress: String(form.get('postalAddress') ?? ''),
    }
    const errors = senderErrorsOf(sender)
    setSenderErrors(errors)
    if (errors.replyTo || errors.postalAddress) return
    const chosen: SendingSettings = {
      ...sender,
      timeZone: String(form.get('zone')),
      tracking: form.get('tracking') === 'on',
      readerHours: form.get('readerHours') === 'on',
      digest: form.get('digest') === 'send' ? 'send' : 'draft',
      limits: chosenLimits,
    }
    save.mutate({ save: chosen, version: base.version }, { onSuccess: (saved) => setFilled({ base: saved, round }) })
  })
  return (
    <form key={round} onSubmit={handleSubmit}>
      <SenderSection settings={base} errors={senderErrors} />
      <Section title="Time zone" lede="Used for all times in the admin.">
        <SelectField
          label="Zone"
          fieldClassName="max-w-sm"
          name="zone"
          defaultValue={timeZone}
          options={zonesWith(timeZone).map((zone) => [zone, zone.replaceAll('_', ' ')])}
        />
      </Section>
      <Section
        title={ownWords`Delivery time of drops`}
        lede={ownWords`If on, drops can reach each reader at their own hour: the one at which they usually read, or one they choose in their email settings. You choose for each drop.`}
      >
        <Choice
          type="checkbox"
          name="readerHours"
          className="max-w-xl"
          label={ownWords`Let readers get drops at their own hour`}
          description="Within 24 hours of the publication’s time, in the reader’s time zone."
          defaultChecked={readerHours ?? false}
        />
      </Section>
      <Section
        title="Monthly digest"
        lede={ownWords`Created on the first of each month from last month’s drops, for readers who chose the digest.`}
      >
        <SelectField label="When it’s ready" fieldClassName="max-w-sm" name="digest" defaultValue={digest ?? 'draft'}>
          <option value="draft">Save it as a draft</option>
          <option value="send">Send it automatically</option>
        </SelectField>
      </Section>
      <SendingLimitsSection limits={limits} errors={limitErrors} />
      <Section
        title="Tracking"
        lede="If on, opens and clicks are counted for readers who allow it. If off, they’re never counted."
      >
        <Choice
          type="checkbox"
          name="tracking"
          className="max-w-xl"
          label="Count opens and clicks"
          defaultChecked={tracking}
        />
      </Section>
      {theirs && merged ? (
        <EditConflict
          overlap={merged.overlap.map((name) => ({ label: labels[name], theirs: textOf(flatten(theirs)[name]) }))}
          isPending={save.isPending}
          onSave={() => save.mutate({ save: nest(merged.merged), version: theirs.version }, { onSuccess: fillWith })}
          onDiscard={() => fillWith(theirs)}
        />
      ) : (
        <FormError>{formErrorMessage(save.error)}</FormError>
      )}
      <Button type="submit" className="mt-4" pending={save.isPending} disabled={theirs !== null}>
        Save settings
      </Button>
    </form>
  )
}

type Sender = Pick<SendingSettings, 'replyTo' | 'postalAddress'>
type SenderErrors = { replyTo?: string; postalAddress?: string }

/** Validation messages by field. */
function senderErrorsOf(sender: Sender): SenderErrors {
  const parsed = sendingSettingsSchema.pick({ replyTo: true, postalAddress: true }).safeParse(sender)
  return Object.fromEntries(parsed.error?.issues.map(({ path, message }) => [path[0], message]) ?? [])
}

/** Where replies go, and the postal address in the footer of every list email. Checks and emails link here. */
function SenderSection({ settings, errors }: { settings: SendingSettingsPage; errors: SenderErrors }) {
  const { replyTo, postalAddress, samplePostalAddress: sample, senderAddress: sender } = settings
  return (
    <Section title="Sender" lede={ownWords`For weekly drops, digests, and product news. Account email isn’t affected.`}>
      <div className="grid max-w-xl gap-5">
        <TextField
          label="Reply-To"
          name="replyTo"
          type="email"
          maxLength={254}
          autoComplete="off"
          placeholder={sender}
          error={errors.replyTo}
          hint={`Replies go here. Leave it empty to receive them at ${sender}.`}
          defaultValue={replyTo}
        />
        <TextAreaField
          label="Postal address"
          error={errors.postalAddress}
          hint="Name, street or PO box, city, state, and ZIP code. It appears in the footer of every list email, as US law (CAN-SPAM) requires."
          name="postalAddress"
          rows={4}
          maxLength={postalAddressLimits.characters}
          autoComplete="off"
          className="py-2.5"
          defaultValue={postalAddress}
        />
        {!postalAddress && (
          <p className="border-l-3 border-accent bg-accent-soft px-4 py-3 text-sm text-accent-ink">
            {sample ? (
              <>
                Until you set one, the sandbox prints this sample address:
                <span className="mt-1 block whitespace-pre-line">{sample}</span>
              </>
            ) : (
              'Add your postal address before you send to a list.'
            )}
          </p>
        )}
      </div>
    </Section>
  )
}

type Limits = SendingSettings['limits']
type LimitErrors = { domains?: string; warmUp?: string }

const numberOf = (value: FormDataEntryValue | null) => (value ? Number(value) : null)

/** Reads the fields of this section. The limits are only meaningful without errors. */
function readLimits(form: FormData): { limits: Limits; errors: LimitErrors } {
  const startedOn = String(form.get('startedOn') ?? '')
  const [firstDay, growth, end] = ['firstDay', 'growth', 'end'].map((name) => numberOf(form.get(name)))
  const warmUp = startedOn && firstDay && growth && end ? { startedOn, firstDay, growth, end } : null
  const domains = parseDomainLimits(String(form.get('domains') ?? ''))
  const errors: LimitErrors = {}
  if (domains.unclear !== null)
    errors.domains = `“${domains.unclear}” isn’t valid. Enter a domain and a number greater than 0.`
  if (startedOn !== '' && !warmUp)
    errors.warmUp = 'Enter all three numbers, or clear the start date to send without a warm-up.'
  return {
    limits: {
      perSecond: numberOf(form.get('perSecond')),
      perHour: numberOf(form.get('perHour')),
      perDomainHour: domains.limits,
      warmUp,
    },
    errors,
  }
}

/** Limits per second, hour and receiving domain, and the warm-up. */
function SendingLimitsSection({ limits, errors }: { limits: Limits; errors: LimitErrors }) {
  const { perSecond, perHour, perDomainHour, warmUp } = limits
  return (
    <>
      <Section
        title="Sending limits"
        lede="Leave a field empty for no limit. Changes take effect right away, including for mailings in progress."
      >
        <div className="grid max-w-xl gap-5 sm:grid-cols-2">
          <TextField
            label="Emails per second"
            name="perSecond"
            type="number"
            min={0.1}
            step="any"
            max={10_000}
            defaultValue={perSecond ?? ''}
          />
          <TextField label="Emails per hour" name="perHour" type="number" min={1} defaultValue={perHour ?? ''} />
          <TextAreaField
            fieldClassName="sm:col-span-2"
            label="Emails per hour by receiving domain"
            hint="One per line, such as “gmail.com 2000”. Use * for all other domains."
            error={errors.domains}
            name="domains"
            rows={3}
            className="py-2.5"
            defaultValue={formatDomainLimits(perDomainHour)}
          />
        </div>
      </Section>
      <Section
        title="Warm-up"
        lede="Increase volume gradually when you send from a new domain, so that your email doesn’t land in spam. Leave the start date empty to send without a warm-up. Days start at midnight in the time zone above."
      >
        <div className="grid max-w-xl gap-5 sm:grid-cols-2">
          <TextField label="Start date" name="startedOn" type="date" defaultValue={warmUp?.startedOn ?? ''} />
          <TextField
            label="Emails on the first day"
            name="firstDay"
            type="number"
            min={1}
            defaultValue={warmUp?.firstDay ?? 200}
          />
          <TextField
            label="Daily growth factor"
            name="growth"
            type="number"
            min={1}
            max={5}
            step="0.1"
            defaultValue={warmUp?.growth ?? 1.5}
          />
          <TextField
            label="Target daily volume"
            name="end"
            type="number"
            min={1}
            defaultValue={warmUp?.end ?? 50_000}
          />
        </div>
        <InlineError className="mt-3">{errors.warmUp}</InlineError>
      </Section>
    </>
  )
}
