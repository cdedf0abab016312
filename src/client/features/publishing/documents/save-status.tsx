import { Check, CloudOff, TriangleAlert } from 'lucide-react'
import { useContext } from 'react'
import type { SaveState } from '#client/lib/autosave.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { PublicationTimeZone } from '#client/ui/timestamp.tsx'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import { formatTimeIn } from '#shared/domain/zoned-time.ts'

type SaveStatusProps = { state: SaveState<StoredDocument>; stored: StoredDocument; onRetry: () => void }

/** Says whether the text is saved. Screen readers announce only failures, so that they don't interrupt typing. */
export function SaveStatus({ state, stored, onRetry }: SaveStatusProps) {
  const zone = useContext(PublicationTimeZone)
  const isAtRisk = state.kind === 'offline' || state.kind === 'failed' || state.kind === 'conflict'
  return (
    <div className="flex min-h-11 items-center gap-3 text-sm tabular-nums">
      {isAtRisk ? (
        <p role="alert" className="flex items-center gap-2 font-medium text-danger">
          {state.kind === 'offline' ? (
            <CloudOff aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
          ) : (
            <TriangleAlert aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
          )}
          {textOf(state)}
        </p>
      ) : (
        <p className="flex items-center gap-2 text-muted">
          {state.kind === 'saved' && <Check aria-hidden className="size-4 shrink-0 text-success" strokeWidth={1.75} />}
          {state.kind === 'saved' ? `Saved${zone ? ` ${formatTimeIn(stored.updatedAt, zone)}` : ''}` : 'Saving…'}
        </p>
      )}
      {(state.kind === 'offline' || state.kind === 'failed') && (
        <Button variant="secondary" size="sm" onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  )
}

function textOf(state: SaveState<StoredDocument>): string {
  if (state.kind === 'offline') return 'Not saved: you’re offline'
  return state.kind === 'failed' ? `Not saved: ${errorMessage(state.error)}` : 'Not saved: newer changes were saved'
}
