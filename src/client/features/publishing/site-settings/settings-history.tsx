import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from '#client/ui/button.tsx'
import { Disclosure } from '#client/ui/disclosure.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { Section } from '#client/ui/section.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type {
  SettingField,
  SettingGroup,
  SettingsPage,
  SettingVersion,
} from '#shared/contracts/publishing/site-settings.ts'
import { SettingText } from './setting-text.tsx'
import { olderVersionsQuery } from './site-settings.api.ts'

type SettingsHistoryProps = {
  group: SettingGroup
  page: SettingsPage
  /** Puts the version's values into the form. */
  onRestore: (values: SettingVersion['values']) => void
}

/** Saved versions, newest first, with what each one changed. */
export function SettingsHistory({ group, page, onRestore }: SettingsHistoryProps) {
  const oldest = page.history.at(-1)?.version ?? 1
  const older = useInfiniteQuery(olderVersionsQuery(group, oldest))
  const versions = [...page.history, ...(older.data?.pages.flatMap(({ history }) => history) ?? [])]
  const hasOlder = older.data ? older.hasNextPage : page.hasOlder
  const fields = new Map(page.fields.map((field) => [field.name, field]))
  const showOlder = () => void (older.data ? older.fetchNextPage() : older.refetch())
  if (versions.length === 0) {
    return <Section title="History" lede="Nothing has been changed yet. All texts are the defaults." />
  }
  return (
    <Section title="History" lede="Restoring a version puts it into the form. It takes effect when you save.">
      <ol className="divide-y divide-line border-y border-line">
        {versions.map((version, index) => (
          <li key={version.version} className="py-1">
            <Disclosure
              summary={
                <span className="flex min-w-0 flex-wrap gap-x-3">
                  <Timestamp at={version.savedAt} />
                  <span className="min-w-0 font-normal text-muted [overflow-wrap:anywhere]">
                    {version.savedBy ?? 'Unknown'}
                  </span>
                  {index === 0 && <span className="font-normal text-muted">Current</span>}
                </span>
              }
            >
              <dl className="mb-3 grid gap-3">
                {version.changes.map((change) => (
                  <Change key={change.field} change={change} field={fields.get(change.field)} />
                ))}
              </dl>
              {index > 0 && (
                <Button variant="secondary" size="sm" className="mb-3" onClick={() => onRestore(version.values)}>
                  Restore this version
                </Button>
              )}
            </Disclosure>
          </li>
        ))}
      </ol>
      {older.isError && <LoadError what="older versions" query={older} />}
      <div className="mt-4 flex flex-wrap gap-3">
        {hasOlder && (
          <Button variant="secondary" size="sm" pending={older.isFetching} onClick={showOlder}>
            Show older versions
          </Button>
        )}
        <Button variant="quiet" size="sm" onClick={() => onRestore({})}>
          Restore all defaults
        </Button>
      </div>
    </Section>
  )
}

type ChangeProps = { change: SettingVersion['changes'][number]; field: SettingField | undefined }

function Change({ change, field }: ChangeProps) {
  const textOf = (value: string | null) => value ?? field?.default ?? ''
  return (
    <div>
      <dt className="text-sm font-semibold">
        {field ? `${field.section}: ${field.label}` : change.field}
        {change.after === null && <span className="font-normal text-muted"> (back to the default)</span>}
      </dt>
      <dd className="mt-1 grid gap-1 text-sm [overflow-wrap:anywhere]">
        <del dir="auto" className="text-muted">
          <SettingText field={field} text={textOf(change.before)} />
        </del>
        <ins dir="auto" className="no-underline">
          <SettingText field={field} text={textOf(change.after)} />
        </ins>
      </dd>
    </div>
  )
}
