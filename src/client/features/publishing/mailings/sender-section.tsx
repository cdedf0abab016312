import { ownWords } from '#client/lib/own-words.ts'
import { TextField } from '#client/ui/field.tsx'
import { Section } from '#client/ui/section.tsx'
import { TextAreaField } from '#client/ui/text-area-field.tsx'
import {
  postalAddressLimits,
  type SendingSettings,
  type SendingSettingsPage,
  sendingSettingsSchema,
} from '#shared/contracts/publishing/sending-settings.ts'

type Sender = Pick<SendingSettings, 'replyTo' | 'postalAddress'>
export type SenderErrors = { replyTo?: string; postalAddress?: string }

/** Validation messages by field. */
export function senderErrorsOf(sender: Sender): SenderErrors {
  const parsed = sendingSettingsSchema.pick({ replyTo: true, postalAddress: true }).safeParse(sender)
  return Object.fromEntries(parsed.error?.issues.map(({ path, message }) => [path[0], message]) ?? [])
}

/** Where replies go, and the postal address in the footer of every list email. Checks and emails link here. */
export function SenderSection({ settings, errors }: { settings: SendingSettingsPage; errors: SenderErrors }) {
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
