import { useQuery } from '@tanstack/react-query'
import { Mail, MailX } from 'lucide-react'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { inWords } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice } from '#client/ui/choice.tsx'
import { ConfirmDialog, Dialog } from '#client/ui/dialog.tsx'
import { FormActions } from '#client/ui/form.tsx'
import { ItemList, ItemRow } from '#client/ui/item-list.tsx'
import { LoadError, SkeletonText } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import {
  adminMemberNewslettersCall,
  adminSetMemberNewsletterCall,
  type MemberNewsletter,
} from '#shared/contracts/operations/member-newsletters.ts'
import { suppressionReasons } from '#shared/contracts/publishing/deliverability.ts'

/** Which newsletters a member gets. Staff turn each on or off for them. */
export function MemberNewsletters({ userId }: { userId: string }) {
  const query = useQuery(alwaysStaleQuery(['admin-member-newsletters', userId], adminMemberNewslettersCall, { userId }))
  const change = useChange(adminSetMemberNewsletterCall, {
    done: 'Newsletter changed',
    failure: 'The newsletter wasn’t changed',
  })
  const [asked, setAsked] = useState<MemberNewsletter | null>(null)
  const save = ({ stream }: MemberNewsletter, subscribed: boolean) =>
    change.mutate({ userId, stream, subscribed, memberAsked: subscribed })
  return (
    <Section title="Newsletters">
      {query.data ? (
        <ItemList label="Newsletters">
          {query.data.items.map((newsletter) => (
            <NewsletterRow
              key={newsletter.stream}
              newsletter={newsletter}
              pending={change.isPending && change.variables.stream === newsletter.stream}
              onChange={() => setAsked(newsletter)}
            />
          ))}
        </ItemList>
      ) : query.isError ? (
        <LoadError what="the newsletters" query={query} />
      ) : (
        <SkeletonText lines={2} />
      )}
      {asked?.status === 'on' && (
        <ConfirmDialog
          title={`Turn off “${nameOf(asked)}”?`}
          action="Turn off"
          keep="Cancel"
          onConfirm={() => save(asked, false)}
          onClose={() => setAsked(null)}
        >
          They don’t get it anymore. They can turn it on again in their account, and see there that you did this.
        </ConfirmDialog>
      )}
      {asked && asked.status !== 'on' && (
        <TurnOnDialog newsletter={asked} onConfirm={() => save(asked, true)} onClose={() => setAsked(null)} />
      )}
    </Section>
  )
}

type NewsletterRowProps = { newsletter: MemberNewsletter; pending: boolean; onChange: () => void }

function NewsletterRow({ newsletter, pending, onChange }: NewsletterRowProps) {
  const { status, membersOnly, suppressed } = newsletter
  const name = nameOf(newsletter)
  const verb = status === 'on' ? 'Turn off' : 'Turn on'
  return (
    <ItemRow
      icon={status === 'on' ? Mail : MailX}
      title={name}
      facts={
        <>
          {statusText(newsletter)}
          {membersOnly && ' Only members with access get it.'}
          {suppressed && (
            <span className="block text-danger">
              No email of it reaches them: {uncapitalize(suppressionReasons[suppressed.reason])}, since{' '}
              <Timestamp inline at={suppressed.since} />.
            </span>
          )}
        </>
      }
      actions={
        <Button variant="quiet" size="sm" pending={pending} aria-label={`${verb} ${name}`} onClick={onChange}>
          {verb}
        </Button>
      }
    />
  )
}

function statusText({ status, changed }: MemberNewsletter): ReactNode {
  if (status === 'never') return 'Never subscribed.'
  if (!changed || (status === 'on' && !changed.by)) return status === 'on' ? 'On.' : 'Off. It isn’t known since when.'
  const since = <Timestamp inline at={changed.at} />
  if (changed.by) {
    const word = status === 'on' ? 'on' : 'off'
    return (
      <>
        {status === 'on' ? 'On' : 'Off'} since {since}: {changed.by} turned it {word}.
      </>
    )
  }
  return changed.isExact ? (
    <>Off since {since}: they unsubscribed themselves.</>
  ) : (
    <>Off: they unsubscribed themselves, no later than {since}.</>
  )
}

type TurnOnDialogProps = { newsletter: MemberNewsletter; onConfirm: () => void; onClose: () => void }

/** Asks staff to vouch that the member wants it. */
function TurnOnDialog({ newsletter, onConfirm, onClose }: TurnOnDialogProps) {
  const [hasAsked, setHasAsked] = useState(false)
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    onClose()
    onConfirm()
  }
  const { status, changed, suppressed } = newsletter
  const name = nameOf(newsletter)
  const unsubscribed = status === 'off' && !changed?.by
  return (
    <Dialog title={`Turn on “${name}”?`} onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-5">
        {unsubscribed && <p>{statusText(newsletter)} Turn it on again only if they asked you to.</p>}
        <Choice
          type="checkbox"
          required
          label="They asked me to turn it on"
          description="The staff log says that you confirmed it."
          checked={hasAsked}
          onChange={() => setHasAsked(!hasAsked)}
        />
        {suppressed && (
          <p className="text-muted">
            It still won’t reach them: {uncapitalize(suppressionReasons[suppressed.reason])}. Turning it on doesn’t
            remove the suppression.
          </p>
        )}
        <FormActions action="Turn on" onCancel={onClose} />
      </form>
    </Dialog>
  )
}

const nameOf = ({ stream, name }: Pick<MemberNewsletter, 'stream' | 'name'>) =>
  stream === 'drops' ? inWords(name) : name

const uncapitalize = (words: string) => words.charAt(0).toLowerCase() + words.slice(1)
