import { Download } from 'lucide-react'
import { Link } from 'react-router'
import { useChange } from '#client/lib/changes.ts'
import { saveFile } from '#client/lib/save-file.ts'
import { Button } from '#client/ui/button.tsx'
import { Property, PropertyList } from '#client/ui/property-list.tsx'
import {
  adminImportMembersCall,
  adminMemberImportErrorsCall,
  type EmailOutcome,
  type ImportCounts,
  type ImportExample,
  type MemberImport,
} from '#shared/contracts/operations/member-import.ts'
import { formatCount, formatNumber } from '#shared/domain/format-count.ts'
import { useCancelImport } from './member-import.api.ts'

const useDownload = () =>
  useChange(adminMemberImportErrorsCall, {
    onSuccess: ({ csv }, { all }) => saveFile(all ? 'import-check.csv' : 'import-errors.csv', csv, 'text/csv'),
    failure: 'The list couldn’t be downloaded',
  })

type ImportResultProps = {
  found: MemberImport & { examples: readonly ImportExample[] }
  onEdit: () => void
  onDone: () => void
}

/** Shows what the check found or the import did. */
export function ImportResult({ found, onEdit, onDone }: ImportResultProps) {
  const start = useChange(adminImportMembersCall, { failure: 'The import couldn’t start' })
  const cancel = useCancelImport()
  const download = useDownload()
  const { counts, status } = found
  const isChecked = status === 'checked'
  const changing = (counts?.new ?? 0) + (counts?.changed ?? 0)
  return (
    <div className="mt-3 grid gap-6">
      <p role="status">{headline(found)}</p>
      {counts && <Counts found={found} counts={counts} isChecked={isChecked} />}
      {isChecked && found.examples.length > 0 && <Examples examples={found.examples} />}
      <div className="flex flex-wrap gap-3">
        {isChecked ? (
          <>
            <Button disabled={changing === 0} pending={start.isPending} onClick={() => start.mutate({ id: found.id })}>
              {changing === 0 ? 'Nothing to import' : `Import ${formatCount(changing, 'member')}`}
            </Button>
            <Button variant="secondary" onClick={onEdit}>
              Change columns or options
            </Button>
            <Button
              variant="secondary"
              pending={download.isPending}
              onClick={() => download.mutate({ id: found.id, all: true })}
            >
              Download all lines as CSV
            </Button>
            <Button variant="quiet" pending={cancel.isPending} onClick={() => cancel.mutate({ id: found.id })}>
              Cancel
            </Button>
          </>
        ) : (
          <Button variant="secondary" onClick={onDone}>
            Import another file
          </Button>
        )}
      </div>
      {status === 'finished' && (
        <p>
          <Link to="/admin/members" className="text-link">
            See your members
          </Link>
        </p>
      )}
    </div>
  )
}

function headline({ status, counts }: MemberImport): string {
  if (status === 'checked') return 'The check is done. Nothing has changed and no email was sent.'
  if (status === 'finished') return 'The import is done. The uploaded file was deleted.'
  return counts
    ? 'The import was canceled. Members who were imported before that stay. The uploaded file was deleted.'
    : 'Canceled. No member was changed, and the uploaded file was deleted.'
}

const outcomeTexts: Record<EmailOutcome, string> = {
  gets: 'get it',
  free: 'get the free edition',
  unconfirmed: 'get it once they confirm their address by signing in',
  unlinked: 'get it once you link their subscriptions',
  no_free_edition: 'don’t: you didn’t choose the free edition',
  not_named: 'don’t: the file doesn’t name it',
  not_for_everyone: 'don’t: new members aren’t subscribed to it',
  no_access: 'don’t: it’s for members only, and they have no plan',
  unsubscribed: 'don’t: unsubscribed',
  pending: 'don’t: they never confirmed their subscription',
  suppressed: 'don’t: bounced or complained',
}

function Counts({ found, counts, isChecked }: { found: MemberImport; counts: ImportCounts; isChecked: boolean }) {
  const download = useDownload()
  const details = [
    [counts.subscribed, 'subscribed'],
    [counts.unsubscribed, 'unsubscribed'],
    [counts.pending, 'not confirmed yet'],
    [counts.suppressed, 'bounced or complained'],
  ] as const
  const list = (items: readonly (readonly [number, string])[]) =>
    items
      .filter(([count]) => count > 0)
      .map(([count, text]) => `${formatNumber(count)} ${text}`)
      .join(' · ')
  return (
    <PropertyList>
      <Property name={isChecked ? 'Would be new' : 'New'}>
        <strong>{formatNumber(counts.new)}</strong>
        <p className="text-sm text-muted">{list(details)}</p>
      </Property>
      {counts.new > 0 &&
        counts.newsletters.map(({ name, outcomes }) => (
          <Property key={name} name={name}>
            {list(outcomes.map(({ outcome, count }) => [count, outcomeTexts[outcome]]))}
          </Property>
        ))}
      <Property name={isChecked ? 'Would change' : 'Changed'}>{formatNumber(counts.changed)}</Property>
      <Property name="Left as they are">
        {formatNumber(counts.unchanged)}
        {counts.differing > 0 && (
          <p className="text-sm text-muted">{formatNumber(counts.differing)} differ from the file.</p>
        )}
      </Property>
      {counts.complimentary > 0 && (
        <Property name="Complimentary access">{formatNumber(counts.complimentary)}</Property>
      )}
      {counts.paying > 0 && (
        <Property name="Paying members">
          {formatNumber(counts.paying)}
          <p className="text-sm text-muted">
            {isChecked ? 'The import gives no one a plan, and charges no one. ' : 'The import gave no one a plan. '}
            {isChecked ? 'When it’s done, link' : 'Link'} their subscriptions under{' '}
            <a href="#adopt-subscriptions" className="text-link">
              Paying members at Stripe
            </a>
            , so that they keep what they pay for.
          </p>
        </Property>
      )}
      {counts.unlinkable > 0 && (
        <Property name="Paid without Stripe">
          {formatNumber(counts.unlinkable)}
          <p className="text-sm text-muted">
            The file names no Stripe customer for them, as for seats of a group, so there’s nothing to link. “Free
            access until” gives access to those whose plan has an end in the file; to others, give it on their page.
          </p>
        </Property>
      )}
      {found.options?.invite && (
        <Property name={isChecked ? 'Would get an invitation' : 'Got an invitation'}>
          {formatNumber(counts.invited)}
        </Property>
      )}
      <Property name="Refused lines">
        <span className="flex flex-wrap items-center gap-x-4">
          {formatNumber(counts.refused)}
          {counts.refused > 0 && (
            <Button
              variant="secondary"
              size="sm"
              pending={download.isPending}
              onClick={() => download.mutate({ id: found.id })}
            >
              <Download aria-hidden className="size-4" strokeWidth={1.75} />
              Download as CSV
            </Button>
          )}
        </span>
      </Property>
    </PropertyList>
  )
}

const outcomes: Record<ImportExample['outcome'], string> = {
  new: 'New',
  changed: 'Changes',
  unchanged: 'Left as is',
  refused: 'Refused',
}

function Examples({ examples }: { examples: readonly ImportExample[] }) {
  return (
    <section aria-labelledby="import-examples">
      <h3 id="import-examples" className="display text-xl">
        Examples
      </h3>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {examples.map(({ line, email, outcome, detail }) => (
          <li key={line} className="grid gap-x-6 py-2.5 sm:grid-cols-[5rem_6rem_minmax(0,1fr)_minmax(0,1fr)]">
            <span className="text-sm text-muted tabular-nums">Line {formatNumber(line)}</span>
            <span className="font-semibold">{outcomes[outcome]}</span>
            <span className="min-w-0 [overflow-wrap:anywhere]">{email || '(no address)'}</span>
            <span className="min-w-0 text-muted [overflow-wrap:anywhere]">{detail}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
