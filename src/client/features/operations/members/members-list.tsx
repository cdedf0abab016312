import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Search, SlidersHorizontal, X } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { Link, useNavigation, useSearchParams } from 'react-router'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { storedFieldsQuery } from '#client/features/reader/custom-fields/admin-fields.api.ts'
import { alwaysStaleQuery, pagedQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { newslettersQuery } from '#client/lib/newsletters-query.ts'
import { publication } from '#client/lib/publication.ts'
import { useDebounced } from '#client/lib/use-debounced.ts'
import { Button } from '#client/ui/button.tsx'
import { OptionList } from '#client/ui/form.tsx'
import { InfiniteList } from '#client/ui/infinite-list.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { SkeletonText } from '#client/ui/loading.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { adminExportMembersCall, maxSelectedMembers } from '#shared/contracts/operations/bulk-actions.ts'
import {
  adminCountMembersCall,
  adminMembersCall,
  type ListedMember,
  type MemberOrder,
  maxCountedMembers,
  memberOrders,
} from '#shared/contracts/operations/members.ts'
import { describeMemberFilter, withoutPart } from '#shared/domain/describe-member-filter.ts'
import { formatDay } from '#shared/domain/format.ts'
import { formatCount, formatNumber } from '#shared/domain/format-count.ts'
import { accountStates, type MemberFilter, memberStatuses } from '#shared/domain/member-filter.ts'
import { planOf } from '#shared/domain/plans.ts'
import { BulkActionDialog } from './bulk-action-dialog.tsx'
import { BulkActionList } from './bulk-action-list.tsx'
import { filterAddress, readFilterAddress } from './filter-address.ts'
import { MemberFilterPanel } from './member-filter-panel.tsx'
import { MemberViews } from './member-views.tsx'

const memberCountQuery = (filter: MemberFilter) =>
  alwaysStaleQuery(
    ['admin-members', 'count', filter],
    adminCountMembersCall,
    { filter },
    { placeholderData: keepPreviousData },
  )

const pageSize = 50

const membersQuery = (filter: MemberFilter, order: MemberOrder) =>
  pagedQuery(
    ['admin-members', filter, order],
    adminMembersCall,
    { filter, order, limit: pageSize },
    { placeholderData: keepPreviousData },
  )

const typingPauseMs = 250

const countText = ({ count, isCapped }: { count: number; isCapped: boolean }) =>
  isCapped ? `${formatNumber(maxCountedMembers)}+ members` : formatCount(count, 'member')

/** All members, filtered by the page's address, with what staff can do with many of them at once. */
export function MembersList() {
  const [query, setQuery] = useSearchParams()
  const filter = readFilterAddress(query)
  const asked = query.get('sort')
  const order: MemberOrder = asked !== null && asked in memberOrders ? (asked as MemberOrder) : 'newest'
  const list = useInfiniteQuery(membersQuery(filter, order))
  const counted = useQuery(memberCountQuery(filter))
  const { role } = useStaffRole()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [open, setOpen] = useState<'filter' | 'change' | null>(null)
  const [hasStarted, setHasStarted] = useState(false)
  // Opens the file; the server sends it as a download.
  const exporting = useChange(adminExportMembersCall, {
    onSuccess: ({ url }) => window.location.assign(url),
    failure: 'We couldn’t export the members',
  })
  const titleId = useId()

  const show = (next: MemberFilter, sort: MemberOrder = order) => {
    const address = filterAddress(next)
    if (sort !== 'newest') address.set('sort', sort)
    setSelected(new Set())
    setQuery(address, { replace: true })
  }
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id) && next.size < maxSelectedMembers) next.add(id)
    setSelected(next)
  }
  const members = list.data?.pages.flatMap(({ items }) => items) ?? []
  const fields = useQuery({ ...storedFieldsQuery, enabled: filter.fields.length > 0 })
  const newsletters = useQuery({
    ...newslettersQuery,
    enabled: filter.newsletters.length + filter.unsubscribedFrom.length > 0,
  })
  const names = { fields: fields.data?.items, newsletters: newsletters.data?.items }
  const parts = describeMemberFilter(publication, filter, names).filter(({ field }) => field !== 'search')
  const isFiltered = parts.length > 0 || filter.search !== ''
  const shownCount = counted.data && !counted.isPlaceholderData ? countText(counted.data) : null
  const target = selected.size > 0 ? { ids: [...selected] } : { filter }
  const allShown = members.slice(0, maxSelectedMembers).map(({ id }) => id)
  const areAllSelected = allShown.length > 0 && allShown.every((id) => selected.has(id))

  return (
    <section aria-labelledby={titleId} className="mt-8">
      <h2 id={titleId} className="sr-only">
        All Users
      </h2>
      <BulkActionList expanded={hasStarted} />
      <MemberViews filter={filter} onShow={show} />
      <div className="mt-4 grid gap-3 sm:grid-cols-[minmax(0,1fr)_auto_auto]">
        <SearchField value={filter.search} onSearch={(search) => show({ ...filter, search })} />
        <label>
          <span className="sr-only">Sort by</span>
          <select
            className={inputStyles}
            value={order}
            onChange={({ target: { value } }) => show(filter, value as MemberOrder)}
          >
            <OptionList of={memberOrders} />
          </select>
        </label>
        <Button
          variant="secondary"
          aria-expanded={open === 'filter'}
          onClick={() => setOpen(open === 'filter' ? null : 'filter')}
        >
          <SlidersHorizontal aria-hidden className="size-5" strokeWidth={1.75} />
          Filter
        </Button>
      </div>
      {open === 'filter' && (
        <MemberFilterPanel
          filter={filter}
          tagsInUse={counted.data?.tagsInUse ?? []}
          onFilter={(next) => {
            setOpen(null)
            show(next)
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {parts.length > 0 && (
        <ul aria-label="Filters" className="mt-3 flex flex-wrap gap-2">
          {parts.map(({ field, text, at }) => (
            <li key={`${field}-${at}`}>
              <button
                type="button"
                aria-label={`Remove filter: ${text}`}
                onClick={() => show(withoutPart(filter, { field, at }))}
                className="inline-flex min-h-11 items-center gap-1.5 rounded-full border border-primary bg-primary-soft px-4 text-left text-sm font-medium text-primary sm:min-h-9"
              >
                {text}
                <X aria-hidden className="-mr-1 size-4 shrink-0" strokeWidth={2} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b-2 border-ink pb-2">
        <label className="flex min-h-11 items-center gap-3 text-sm">
          <input
            type="checkbox"
            className="size-5"
            disabled={members.length === 0}
            checked={areAllSelected}
            onChange={() => setSelected(new Set(areAllSelected ? [] : allShown))}
          />
          <span>Select all shown</span>
          <span role="status" className="text-muted tabular-nums">
            {selected.size > 0 ? `${formatNumber(selected.size)} selected` : shownCount}
          </span>
        </label>
        <div className="flex flex-wrap gap-2">
          {role === 'owner' && (
            <Button
              variant="secondary"
              size="sm"
              disabled={members.length === 0}
              pending={exporting.isPending}
              onClick={() => exporting.mutate({ target })}
            >
              Export CSV
            </Button>
          )}
          <Button variant="secondary" size="sm" disabled={members.length === 0} onClick={() => setOpen('change')}>
            {selected.size > 0
              ? `Change ${formatNumber(selected.size)} selected`
              : `Change ${shownCount === formatCount(1, 'member') ? '' : 'all '}${shownCount ?? ''}`}
          </Button>
        </div>
      </div>
      <InfiniteList
        query={list}
        what="the members"
        skeleton={<ListSkeleton />}
        empty={members.length > 0 ? null : isFiltered ? 'No matching members. Try fewer filters.' : 'No members yet.'}
      >
        <ul aria-label="All users" aria-busy={list.isPlaceholderData}>
          {members.map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              selected={selected.has(member.id)}
              onToggle={() => toggle(member.id)}
            />
          ))}
        </ul>
      </InfiniteList>
      {open === 'change' && (
        <BulkActionDialog
          target={target}
          onClose={() => setOpen(null)}
          onStarted={() => {
            setOpen(null)
            setHasStarted(true)
            setSelected(new Set())
          }}
        />
      )}
    </section>
  )
}

/** Searches when typing pauses. */
function SearchField({ value, onSearch }: { value: string; onSearch: (search: string) => void }) {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  const [asked, setAsked] = useState<string | null>(null)
  const settled = useDebounced(typed.trim(), typingPauseMs)
  const id = useId()
  // A view or Back shows another search. The one asked for here may arrive after more has been typed.
  if (known !== value) {
    setKnown(value)
    setAsked(null)
    if (value !== asked && value !== typed.trim()) setTyped(value)
  }
  const isLeaving = useNavigation().state !== 'idle'
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a pause in typing searches
  useEffect(() => {
    // A search now would replace the page that a link is opening.
    if (isLeaving || settled === value || settled !== typed.trim()) return
    setAsked(settled)
    onSearch(settled)
  }, [settled, isLeaving])
  return (
    <div className="relative">
      <label htmlFor={id} className="sr-only">
        Search by name or email
      </label>
      <Search aria-hidden className="pointer-events-none absolute top-3 left-3 size-5 text-muted" strokeWidth={1.75} />
      <input
        id={id}
        type="search"
        placeholder="Search by name or email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={200}
        className={`${inputStyles} pl-10`}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  )
}

const ListSkeleton = () => (
  <div>
    {[1, 2, 3, 4, 5, 6].map((row) => (
      <div key={row} className="border-b border-line py-4">
        <SkeletonText lines={2} className="max-w-96" />
      </div>
    ))}
  </div>
)

type MemberRowProps = { member: ListedMember; selected: boolean; onToggle: () => void }

const problemStatuses = new Set(['past_due', 'paused', 'ended'])

/** A line of the table; a card on a phone. */
function MemberRow({ member, selected, onToggle }: MemberRowProps) {
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
