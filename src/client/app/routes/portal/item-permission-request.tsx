import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { businessProfileQuery } from '#client/features/reader/business-profile/business-profile.api.ts'
import { franchisorRulesQuery } from '#client/features/reader/franchisor-rules/franchisor-rules.api.ts'
import { publication } from '#client/lib/publication.ts'
import { CopyButton } from '#client/ui/copy-button.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { SkeletonText } from '#client/ui/loading.tsx'
import type { RecordedRule } from '#shared/contracts/reader/franchisor-rules.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'
import { formatDay } from '#shared/domain/format.ts'
import type { Ruling } from '#shared/domain/franchisor-rules.ts'
import {
  permissionMessage,
  type PermissionRequest as Request,
  ruleTopicTexts,
  rulingAdvice,
} from '#shared/domain/rule-texts.ts'

type PermissionRequestProps = {
  ruling: Ruling
  request: Omit<Request, 'topics' | 'publication'>
  recorded: readonly RecordedRule[]
}

/** Advises about a rule, with a message to the franchisor that can be edited and copied. */
function PermissionRequest({ ruling, request, recorded }: PermissionRequestProps) {
  const [{ subject, text }] = useState(() =>
    permissionMessage({ ...request, publication: publication.name, topics: ruling.topics }),
  )
  const [message, setMessage] = useState(text)
  const id = useId()
  const said = recorded.filter(({ topic, note }) => ruling.topics.includes(topic) && note)
  return (
    <div className="mb-3 measure border-l-3 border-accent bg-sunken px-[16px] py-3">
      <p>{rulingAdvice[ruling.rule]}</p>
      {said.map(({ topic, note, saidOn }) => (
        <p key={topic} className="mt-2 whitespace-pre-line [overflow-wrap:anywhere]">
          <span className="font-semibold">
            {ruleTopicTexts[topic].label}
            {saidOn && (
              <>
                , <time dateTime={saidOn}>{formatDay(saidOn)}</time>
              </>
            )}
            :{' '}
          </span>
          {note}
        </p>
      ))}
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <label htmlFor={id} className="font-semibold">
          Message to your franchisor
        </label>
        <CopyButton text={`Subject: ${subject}\n\n${message}`} what={subject} variant="primary" />
      </div>
      <p className="mt-2">
        <span className="text-muted">Subject:</span> {subject}
      </p>
      <textarea
        id={id}
        rows={12}
        className={`${inputStyles} mt-2 field-sizing-content py-2 pointer-fine:text-sm!`}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
      />
      <p className="mt-1">
        <Link to="/account/business#franchisor-rules" className="text-link inline-flex min-h-11 items-center">
          Change your rules
        </Link>
      </p>
    </div>
  )
}

type ItemPermissionRequestProps = {
  /** `purpose` says what it does, in a sentence or two. */
  item: Pick<ItemRef, 'kind'> & { title: string; purpose: string }
  ruling: Ruling
}

/** The message to the franchisor about an item. What the profile doesn't say, or can't be loaded, is left out. */
export default function ItemPermissionRequest({ item, ruling }: ItemPermissionRequestProps) {
  const profile = useQuery(businessProfileQuery)
  const recorded = useQuery(franchisorRulesQuery)
  if (profile.isPending) return <SkeletonText lines={6} className="measure py-3" />
  const values = profile.data?.values ?? {}
  const { kind, title, purpose } = item
  return (
    <PermissionRequest
      // Another rule asks other questions.
      key={`${ruling.rule} ${ruling.topics.join()}`}
      ruling={ruling}
      recorded={recorded.data ?? []}
      request={{
        kind,
        title,
        purpose,
        contact: values.franchisor_contact ?? '',
        storeName: values.store_name ?? '',
        ownerName: values.owner_first_name ?? '',
      }}
    />
  )
}
