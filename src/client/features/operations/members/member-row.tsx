import { Link } from 'react-router'
import { publication } from '#client/lib/publication.ts'
import { Tag } from '#client/ui/tag.tsx'
import type { ListedMember } from '#shared/contracts/operations/members.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { accountStates, memberStatuses } from '#shared/domain/member-filter.ts'
import { planOf } from '#shared/domain/plans.ts'

type MemberRowProps = { member: ListedMember; selected: boolean; onToggle: () => void }

const problemStatuses = new Set(['past_due', 'paused', 'ended'])

/** A line of the table; a card on a phone. */
export function MemberRow({ member, selected, onToggle }: MemberRowProps) {
  const { status, plan, account } = member
  const label = member.email || 'No address'
  const locations = member.locations === 1 ? '1 location' : `${member.locations} locations`
  const facts = [member.franchiseType, member.locations > 0 && locations, ...member.answers]
    .filter(Boolean)
    .join('\u00a0· ')
  return (
    <li className="grid grid-cols-[2.75rem_minmax(0,1fr)] gap-x-1 border-b border-line py-3 text-sm leading-6 has-checked:bg-success-soft md:grid-cols-[2.75rem_minmax(0,5fr)_minmax(0,3fr)_minmax(0,5fr)_7rem] md:gap-x-4">
      <label className="flex size-11 items-center justify-center md:-mt-1.5">
        <span className="sr-only">Select {label}</span>
        <input type="checkbox" className="size-5" checked={selected} onChange={onToggle} />
      </label>
      <div className="[overflow-wrap:anywhere]">
        <p className="text-base font-semibold">
          <Link to={`/admin/members/${member.id}`} className="text-link">
            {label}
          </Link>
        </p>
        {member.name && <p className="text-muted">{member.name}</p>}
      </div>
      <div className="max-md:col-start-2">
        <p className={problemStatuses.has(status) ? 'font-semibold text-danger' : 'font-semibold'}>
          {memberStatuses[status]}
        </p>
        {plan && <p className="text-muted">{planOf(publication, plan).name}</p>}
        {member.renewsAt && (
          <p className="text-muted">
            Renews <time dateTime={member.renewsAt}>{formatDay(member.renewsAt)}</time>
          </p>
        )}
      </div>
      <div className="max-md:col-start-2">
        <p className="text-muted [overflow-wrap:anywhere]">{facts || 'No preferences set'}</p>
        {(account.length > 0 || member.tags.length > 0 || member.noted) && (
          <p className="mt-1 flex flex-wrap gap-1.5">
            {account.map((state) => (
              <Tag key={state} tone="danger">
                {accountStates[state]}
              </Tag>
            ))}
            {member.tags.map((tag) => (
              <Tag key={tag} tone="primary">
                {tag}
              </Tag>
            ))}
            {member.noted && <Tag>Notes</Tag>}
          </p>
        )}
      </div>
      <p className="text-muted tabular-nums max-md:col-start-2 md:text-right">
        <span className="md:sr-only">Joined </span>
        <time dateTime={member.joinedAt}>{formatDay(member.joinedAt)}</time>
      </p>
    </li>
  )
}
