import { Button } from '#client/ui/button.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { MemberImport } from '#shared/contracts/operations/member-import.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { importSourceNames } from '#shared/domain/import-fields.ts'

type ImportHistoryProps = {
  imports: readonly MemberImport[]
  /** The import shown above. */
  shown: string | null
  onShow: (id: string) => void
}

/** Ended imports. Their refused lines can be downloaded for 30 days. */
export function ImportHistory({ imports, shown, onShow }: ImportHistoryProps) {
  const ended = imports.filter(({ id, status }) => id !== shown && (status === 'finished' || status === 'canceled'))
  if (ended.length === 0) return null
  return (
    <section aria-labelledby="import-history" className="mt-10">
      <h3 id="import-history" className="display text-xl">
        Earlier imports
      </h3>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {ended.map((found) => (
          <li key={found.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
            <div className="min-w-0">
              <p className="font-semibold [overflow-wrap:anywhere]">{found.fileName}</p>
              <p className="text-sm text-muted">
                {importSourceNames[found.source]} · {describe(found)} · <Timestamp at={found.createdAt} inline />
              </p>
            </div>
            <Button variant="secondary" size="sm" onClick={() => onShow(found.id)}>
              Details<span className="sr-only"> of {found.fileName}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const describe = ({ status, counts }: MemberImport) =>
  status === 'canceled'
    ? 'canceled'
    : `${formatNumber(counts?.new ?? 0)} new, ${formatNumber(counts?.changed ?? 0)} changed`
