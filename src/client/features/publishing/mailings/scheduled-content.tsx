import { useState } from 'react'
import { CallError } from '#client/lib/call-error.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { ownWords } from '#client/lib/own-words.ts'
import { useChange } from '#client/lib/use-change.ts'
import { Button } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/form-error.tsx'
import { Section } from '#client/ui/section.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { mailingErrorsSchema, problemText } from '#shared/contracts/publishing/mailing-preview.ts'
import { adminUpdateScheduledMailingCall, type Mailing } from '#shared/contracts/publishing/mailings.ts'
import { ErrorsDialog } from './accept-errors-dialog.tsx'

type ScheduledContentProps = { mailing: Mailing; frozen: NonNullable<Mailing['frozen']> }

/** The text that a scheduled mailing sends, with a button to update it. */
export function ScheduledContent({ mailing, frozen: { at, hasNewer, hasMissingPages } }: ScheduledContentProps) {
  const update = useChange(adminUpdateScheduledMailingCall)
  const [errors, setErrors] = useState<string[] | null>(null)
  const handleUpdate = (acceptedErrors: string[]) => {
    setErrors(null)
    update.mutate(
      { id: mailing.id, version: mailing.version, acceptedErrors },
      { onError: (error) => setErrors(errorsIn(error)) },
    )
  }
  return (
    <Section
      title="Text"
      lede={
        <>
          This mailing sends the text as of <Timestamp at={at} inline />. Later edits don’t change it.
        </>
      }
    >
      {hasMissingPages ? (
        <Warning>
          {hasNewer
            ? ownWords`A drop in this mailing was unpublished, so it can’t be sent as is. Publish the drop again, or update to the latest text.`
            : ownWords`This drop is unpublished. The mailing won’t be sent unless you publish the drop again before then.`}
        </Warning>
      ) : (
        hasNewer && <Warning>There’s a newer version. This mailing doesn’t send it unless you update.</Warning>
      )}
      {hasNewer && (
        <Button variant="secondary" className="mt-4" pending={update.isPending} onClick={() => handleUpdate([])}>
          Update to latest
        </Button>
      )}
      {!errors && <InlineError className="mt-3">{formErrorMessage(update.error)}</InlineError>}
      {errors && (
        <ErrorsDialog
          title="Update to the latest text?"
          errors={errors}
          action="Update anyway"
          onConfirm={() => handleUpdate(errors)}
          onClose={() => setErrors(null)}
        />
      )}
    </Section>
  )
}

const Warning = ({ children }: { children: string }) => (
  <p className="max-w-3xl border-l-3 border-accent bg-sunken px-4 py-3">{children}</p>
)

/** Errors of the checks, if they caused the rejection. */
function errorsIn(error: unknown): string[] | null {
  const refused = error instanceof CallError && error.code === 'mailing_has_errors' ? error.body : null
  return mailingErrorsSchema.safeParse(refused).data?.errors.map(problemText) ?? null
}
