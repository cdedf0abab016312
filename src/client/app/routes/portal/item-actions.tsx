import { clsx } from 'clsx'
import { CircleCheck, Ellipsis } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { Link } from 'react-router'
import { SaveButton } from '#client/features/reader/saved/save-button.tsx'
import { useCanAssign, useItemMark } from '#client/lib/item-marks.ts'
import { QuietAction } from '#client/ui/button.tsx'
import { showOnScreen } from '#client/ui/show-on-screen.ts'
import type { MarksScope } from '#shared/contracts/reader/item-marks.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'
import { describeTotals, type TryOutcome, tryOutcomeLabels } from '#shared/domain/try-outcomes.ts'

const TryForm = lazy(() => import('#client/features/reader/tries/try-form.tsx'))
const ItemMenu = lazy(() => import('./item-menu.tsx'))
const CollectDialog = lazy(() => import('#client/features/reader/saved/collect-dialog.tsx'))

type ItemActionsProps = {
  item: ItemRef & { title: string }
  /** The page whose marks include the item. */
  scope: MarksScope
  /** Between Save and More. */
  children?: ReactNode
}

/** The row of actions under an item. On prompts, `SaveAction` is beside the title and the row shows while it is open. */
export function ItemActions({ item, scope, children }: ItemActionsProps) {
  const tried = triedItem(item)
  const mark = useItemMark(scope, item)
  const canAssign = useCanAssign(scope)
  const [isTrying, setIsTrying] = useState(false)
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const formId = useId()
  const menuId = useId()
  return (
    <div className="min-w-0">
      <ActionRow>
        {item.kind !== 'prompt' && <SaveAction item={item} scope={scope} />}
        {children}
        <QuietAction
          icon={Ellipsis}
          aria-expanded={isMenuOpen}
          aria-controls={menuId}
          aria-label={`More: ${item.title}`}
          onClick={() => setIsMenuOpen(!isMenuOpen)}
        >
          More
        </QuietAction>
        {/* Last, since its label changes. */}
        {tried && (
          <TriedButton
            title={item.title}
            outcome={mark?.tried ?? null}
            open={isTrying}
            controls={formId}
            onClick={() => setIsTrying(!isTrying)}
          />
        )}
      </ActionRow>
      <div id={menuId} className="print:hidden">
        {isMenuOpen && (
          <div className="flex min-h-11 flex-wrap items-center rounded-md bg-sunken">
            <Suspense fallback={null}>
              <ItemMenu item={item} canAssign={canAssign} />
            </Suspense>
          </div>
        )}
      </div>
      {mark !== undefined && mark.assigned > 0 && (
        <p className="text-sm print:hidden">
          <Link to="/portal/assignments" className="text-link">
            Assigned to you
          </Link>
        </p>
      )}
      {mark?.totals && <p className="text-sm text-muted tabular-nums print:hidden">{describeTotals(mark.totals)}.</p>}
      {tried && isTrying && (
        <div ref={showOnScreen}>
          <Suspense fallback={<div className="mt-2 h-60 border-l-3 border-accent bg-sunken sm:h-40" />}>
            <TryForm id={formId} item={tried} outcome={mark?.tried ?? null} />
          </Suspense>
        </div>
      )}
    </div>
  )
}

/** Sections and prompts can be tried; an issue, a guide or a tool is too large for one answer. */
function triedItem({ kind, id, title }: ItemActionsProps['item']) {
  return kind === 'section' || kind === 'prompt' ? { kind, id, title } : null
}

const ActionRow = ({ children }: { children: ReactNode }) => (
  <div className="-mx-2.5 mt-4 flex flex-wrap items-center gap-x-1 print:hidden">{children}</div>
)

type SaveActionProps = Pick<ItemActionsProps, 'item' | 'scope'> & { compact?: boolean; className?: string }

export function SaveAction({ item, scope, compact, className }: SaveActionProps) {
  const mark = useItemMark(scope, item)
  const [isChoosing, setIsChoosing] = useState(false)
  return (
    <>
      <SaveButton
        item={item}
        saved={mark?.saved ?? false}
        savedAt={mark?.savedAt ?? null}
        compact={compact}
        className={className}
        onLongPress={() => setIsChoosing(true)}
      />
      {isChoosing && (
        <Suspense fallback={null}>
          <CollectDialog item={item} onClose={() => setIsChoosing(false)} />
        </Suspense>
      )}
    </>
  )
}

type TriedButtonProps = {
  title: string
  /** The reader's answer. */
  outcome: TryOutcome | null
  open: boolean
  /** Id of the form. */
  controls: string
  onClick: () => void
}

/** Opens the form that asks how it went. Shows the answer, if there is one. */
function TriedButton({ title, outcome, open, controls, onClick }: TriedButtonProps) {
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-controls={controls}
      onClick={onClick}
      className={clsx(
        'inline-flex min-h-11 min-w-0 touch-manipulation items-center gap-1.5 rounded-md px-2.5 text-sm transition-colors select-none hover:bg-sunken hover:text-ink',
        outcome ? 'font-semibold text-ink' : 'text-muted',
      )}
    >
      <CircleCheck
        aria-hidden
        className={clsx('size-4.5 shrink-0', outcome && 'text-success')}
        strokeWidth={outcome ? 2.25 : 1.75}
      />
      {/* As wide as its longest label, so that an answer doesn’t move it to the next line. */}
      <span data-longest={tryOutcomeLabels['worked-with-changes']} className="as-wide-as-longest">
        {outcome ? tryOutcomeLabels[outcome] : 'Tried it'}
      </span>
      <span className="sr-only">: {title}</span>
    </button>
  )
}
