import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { CircleHelp, Search, X } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { isNetworkError } from '#client/lib/error-message.ts'
import { useDebounced } from '#client/lib/use-debounced.ts'
import { IconButton } from '#client/ui/button.tsx'
import { FilterChip } from '#client/ui/filter-chip.tsx'
import { InlineLoadError } from '#client/ui/loading.tsx'
import { itemKey } from '#shared/domain/content-items.ts'
import { findHelpTopics } from './help-topics.ts'
import { groupResults, isOffered, kindsOfGroup, labelOfGroup, type ResultGroup, resultGroups } from './result-groups.ts'
import { ResultText } from './result-text.tsx'
import { maxTypedLength, suggestionsQuery } from './search.api.ts'
import { toSearchParams } from './search-address.ts'

const typingPauseMs = 120
const maxPerGroup = 5

type SearchDialogProps = {
  /** Text typed before the dialog had loaded. */
  readTyped: () => string
  onClose: () => void
}

/** Searches the portal while the reader types. Full-screen on a phone. Closes on Escape, and when a result is chosen. */
export default function SearchDialog({ readTyped, onClose }: SearchDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isLeaving = useRef(false)
  const navigate = useNavigate()
  const id = useId()
  const [text, setText] = useState(readTyped)
  const [group, setGroup] = useState<ResultGroup | null>(null)
  const [saved, setSaved] = useState(false)
  const [tried, setTried] = useState(false)
  const [activeKey, setActiveKey] = useState<string | null>(null)

  const asked = useDebounced(text.trim(), typingPauseMs)
  const filters = { kinds: group ? kindsOfGroup[group] : [], saved, tried }
  const isAsking = asked !== '' || saved || tried
  const search = useQuery(suggestionsQuery(asked, filters))
  // Retries wait for the connection.
  const isUnreachable = search.isPaused || isNetworkError(search.failureReason)
  const groups = isAsking && search.data ? groupResults(search.data.items, group ? undefined : maxPerGroup) : []
  const shown = groups.flatMap(({ results }) => results)
  const topics = group || saved || tried ? [] : findHelpTopics(text)
  const options = [
    ...topics.map(({ title, path }) => ({ key: title, path })),
    ...shown.map((result) => ({ key: itemKey(result), path: result.path })),
  ]
  // The first result is chosen by Enter until the reader moves, and again when the results have changed.
  const active = Math.max(
    options.findIndex(({ key }) => key === activeKey),
    0,
  )
  const optionId = (index: number) => `${id}-option-${index}`

  useLayoutEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    // React may render some time before the dialog opens, and the reader types on.
    setText(readTyped())
    return () => {
      // Pages move the focus to what their address names.
      if (!isLeaving.current && before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true })
    }
  }, [readTyped])

  const leaveTo = (path: string) => {
    isLeaving.current = true
    onClose()
    void navigate(path)
  }
  const allResults = `/portal/search?${toSearchParams(text.trim(), { ...filters, focusAreas: [], levels: [], verticals: [] })}`
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    // The browser would only empty the search field.
    if (event.key === 'Escape') {
      event.preventDefault()
      onClose()
      return
    }
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move && options.length > 0) {
      event.preventDefault()
      const next = (active + move + options.length) % options.length
      setActiveKey(options[next]?.key ?? null)
      document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const option = options[active]
      const isCurrent = active < topics.length || (asked === text.trim() && !search.isPlaceholderData)
      if (option && isCurrent) leaveTo(option.path)
      else if (text.trim()) leaveTo(allResults)
    }
  }
  const handleAsk = (question: string) => {
    setText(question)
    dialog.current?.querySelector('input')?.focus()
  }
  /** A click on the backdrop has the dialog itself as its target. */
  const handleClick = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose()
  }
  const handleChoose = (event: MouseEvent, path: string) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    leaveTo(path)
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same, and the browser raises `cancel` for it
    <dialog
      ref={dialog}
      aria-label="Search"
      onClick={handleClick}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      className="m-0 h-dvh max-h-dvh w-full max-w-full bg-surface p-0 text-ink backdrop:bg-veil sm:mx-auto sm:mt-[8vh] sm:h-auto sm:max-h-[80dvh] sm:max-w-2xl sm:rounded-lg sm:border sm:border-line sm:shadow-float"
    >
      <search className="flex h-full max-h-[inherit] flex-col">
        <div className="flex items-center gap-2 border-b border-line pr-1.5 pl-4">
          <Search aria-hidden className="size-5 shrink-0 text-muted" strokeWidth={1.75} />
          <input
            type="search"
            role="combobox"
            aria-label="Search the portal"
            aria-expanded={options.length > 0}
            aria-controls={`${id}-results`}
            aria-activedescendant={options.length > 0 ? optionId(active) : undefined}
            aria-autocomplete="list"
            placeholder="Search the portal"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="search"
            maxLength={maxTypedLength}
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setActiveKey(null)
            }}
            onKeyDown={handleKeyDown}
            className="min-h-14 w-full min-w-0 grow bg-transparent px-1 text-lg outline-none [&::-webkit-search-cancel-button]:hidden"
          />
          <IconButton icon={X} label="Close" onClick={onClose} />
        </div>
        <div className="flex shrink-0 gap-2 overflow-x-auto border-b border-line px-4 py-2.5">
          {resultGroups.filter(isOffered).map((name) => (
            <FilterChip key={name} pressed={group === name} onToggle={() => setGroup(group === name ? null : name)}>
              {labelOfGroup(name)}
            </FilterChip>
          ))}
          <FilterChip pressed={saved} onToggle={() => setSaved(!saved)}>
            Saved
          </FilterChip>
          <FilterChip pressed={tried} onToggle={() => setTried(!tried)}>
            Tried
          </FilterChip>
        </div>
        <div className="grow overflow-y-auto overscroll-contain sm:min-h-72">
          <p role="status" className={options.length > 0 ? 'sr-only' : 'px-4 py-6 text-muted'}>
            {describe({
              isAsking,
              isPending: search.isPending,
              isError: search.isError || isUnreachable,
              count: options.length,
            })}
          </p>
          {isAsking && (search.isError || isUnreachable) && (
            <div className="px-4 pb-6">
              <InlineLoadError retrying={search.isFetching && !search.isPaused} onRetry={search.refetch}>
                {isUnreachable
                  ? 'You’re offline. Results appear when you’re back.'
                  : 'We couldn’t search. Try again in a moment.'}
              </InlineLoadError>
            </div>
          )}
          {isAsking && shown.length > 0 && search.data?.corrections[0] && (
            <p className="px-4 pt-3 text-sm text-muted">
              Showing results for <strong>{search.data.corrections[0].to}</strong>
            </p>
          )}
          {text.trim() === '' && !isAsking && <Questions onAsk={handleAsk} />}
          <div
            id={`${id}-results`}
            role="listbox"
            aria-label="Results"
            className={clsx(options.length === 0 && 'hidden')}
          >
            {topics.length > 0 && (
              // biome-ignore lint/a11y/useSemanticElements: a listbox can't contain a fieldset
              <div role="group" aria-labelledby={`${id}-help`} className="px-2 pt-4 last:pb-2">
                <p id={`${id}-help`} className="px-2 pb-1 text-sm font-semibold text-accent-ink">
                  Help and account
                </p>
                {topics.map(({ title, place, path }, index) => (
                  <Link
                    key={title}
                    id={optionId(index)}
                    role="option"
                    aria-selected={index === active}
                    tabIndex={-1}
                    to={path}
                    onClick={(event) => handleChoose(event, path)}
                    onPointerMove={() => setActiveKey(title)}
                    className={clsx('flex gap-3 rounded-md px-2 py-2.5', index === active && 'bg-sunken')}
                  >
                    <CircleHelp aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" strokeWidth={1.75} />
                    <span className="min-w-0 grow wrap-anywhere">
                      <span className="block leading-snug font-semibold">{title}</span>
                      <span className="mt-1 block text-xs text-muted">Account · {place}</span>
                    </span>
                  </Link>
                ))}
              </div>
            )}
            {groups.map(({ group: name, results }) => (
              // biome-ignore lint/a11y/useSemanticElements: a listbox can't contain a fieldset
              <div key={name} role="group" aria-labelledby={`${id}-${name}`} className="px-2 pt-4 last:pb-2">
                <p id={`${id}-${name}`} className="px-2 pb-1 text-sm font-semibold text-accent-ink">
                  {labelOfGroup(name)}
                </p>
                {results.map((result) => {
                  const index = topics.length + shown.indexOf(result)
                  return (
                    <Link
                      key={itemKey(result)}
                      id={optionId(index)}
                      role="option"
                      aria-selected={index === active}
                      tabIndex={-1}
                      to={result.path}
                      onClick={(event) => handleChoose(event, result.path)}
                      onPointerMove={() => setActiveKey(itemKey(result))}
                      className={clsx('flex gap-3 rounded-md px-2 py-2.5', index === active && 'bg-sunken')}
                    >
                      <ResultText result={result} />
                    </Link>
                  )
                })}
              </div>
            ))}
          </div>
          {shown.length > 0 && (
            <p className="flex items-center justify-between gap-4 px-4 pb-2 text-sm">
              <Link
                to={allResults}
                onClick={(event) => handleChoose(event, allResults)}
                className="text-link inline-flex min-h-11 items-center font-medium"
              >
                See all results and filters
              </Link>
              <span aria-hidden className="text-muted max-sm:hidden">
                ↑ ↓ to move, Enter to open
              </span>
            </p>
          )}
        </div>
      </search>
    </dialog>
  )
}

/** Questions that owners ask, and that the content and the help topics answer. */
const questions = [
  'How do I answer a bad review?',
  'How do I shorten closing time?',
  'What does a new hire really cost?',
  'How do I follow up on an estimate?',
  'What can I share about a customer?',
  'How do I cancel?',
]

const Questions = ({ onAsk }: { onAsk: (question: string) => void }) => (
  <section aria-label="Questions owners ask" className="px-2 pb-4">
    <p aria-hidden className="px-2 pb-1 text-sm font-semibold text-accent-ink">
      Questions owners ask
    </p>
    <ul>
      {questions.map((question) => (
        <li key={question}>
          <button
            type="button"
            onClick={() => onAsk(question)}
            className="min-h-11 w-full rounded-md px-2 py-2 text-left hover:bg-sunken"
          >
            {question}
          </button>
        </li>
      ))}
    </ul>
  </section>
)

type Status = { isAsking: boolean; isPending: boolean; isError: boolean; count: number }

function describe({ isAsking, isPending, isError, count }: Status): string {
  if (!isAsking) return 'Type a few words or a whole question, such as “answer a bad review”.'
  if (isError) return ''
  if (isPending) return 'Searching…'
  if (count === 0) return 'No results. Try fewer words, or remove a filter.'
  return `${count} ${count === 1 ? 'result' : 'results'}`
}
