import { FolderPlus, Printer, Share2, UserRoundPlus } from 'lucide-react'
import { type ComponentProps, lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { Link } from 'react-router'
import { SaveButton } from '#client/features/reader/saved/save-button.tsx'
import type { ShareableItem } from '#client/features/reader/sharing/sharing.api.ts'
import { TriedButton } from '#client/features/reader/tries/tried-button.tsx'
import { useCanAssign, useItemMark } from '#client/lib/item-marks.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { printElement } from '#client/ui/print-element.ts'
import { showOnScreen } from '#client/ui/show-on-screen.ts'
import type { MarksScope } from '#shared/contracts/reader/item-marks.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'
import { describeTotals } from '#shared/domain/try-outcomes.ts'

const TryForm = lazy(() => import('#client/features/reader/tries/try-form.tsx'))
const ShareDialog = lazy(() => import('#client/features/reader/sharing/share-dialog.tsx'))
const AssignDialog = lazy(() => import('#client/features/reader/assignments/assign-dialog.tsx'))
const CollectDialog = lazy(() => import('#client/features/reader/saved/collect-dialog.tsx'))

type ItemActionsProps = {
  item: ItemRef & { title: string }
  /** The page whose marks include the item. */
  scope: MarksScope
}

/** The row of actions under an item. On prompts, `SaveAction` is beside the title and the row shows while it is open. */
export function ItemActions({ item, scope }: ItemActionsProps) {
  const tried = triedItem(item)
  const mark = useItemMark(scope, item)
  const [isTrying, setIsTrying] = useState(false)
  const formId = useId()
  return (
    <div className="min-w-0">
      <ActionRow>
        {item.kind !== 'prompt' && <SaveAction item={item} scope={scope} />}
        <CollectAction item={item} />
        <AssignAction item={item} scope={scope} />
        {tried && <ShareAction item={tried} />}
        {(tried || item.kind === 'issue') && <PrintAction item={item} />}
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

type SaveActionProps = ItemActionsProps & { compact?: boolean; className?: string }

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

type DialogActionProps = Pick<ComponentProps<typeof IconButton>, 'icon' | 'label'> & {
  renderDialog: (onClose: () => void) => ReactNode
}

/** A button that opens a dialog, which loads on the first tap. */
function DialogAction({ icon, label, renderDialog }: DialogActionProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <IconButton icon={icon} label={label} onClick={() => setIsOpen(true)} />
      {isOpen && <Suspense fallback={null}>{renderDialog(() => setIsOpen(false))}</Suspense>}
    </>
  )
}

const ShareAction = ({ item }: { item: ShareableItem }) => (
  <DialogAction
    icon={Share2}
    label={`Share: ${item.title}`}
    renderDialog={(onClose) => <ShareDialog item={item} onClose={onClose} />}
  />
)

/** Prints a drop, or only this section or prompt. */
function PrintAction({ item }: Pick<ItemActionsProps, 'item'>) {
  return (
    <IconButton
      icon={Printer}
      label={`Print: ${item.title}`}
      onClick={({ currentTarget }) => printElement(item.kind === 'issue' ? null : currentTarget.closest('section, li'))}
    />
  )
}

const CollectAction = ({ item }: Pick<ItemActionsProps, 'item'>) => (
  <DialogAction
    icon={FolderPlus}
    label={`Add to collection: ${item.title}`}
    renderDialog={(onClose) => <CollectDialog item={item} onClose={onClose} />}
  />
)

/** For people on a team. Only sections and prompts are something to do. */
function AssignAction({ item, scope }: ItemActionsProps) {
  const canAssign = useCanAssign(scope)
  if (!canAssign || (item.kind !== 'section' && item.kind !== 'prompt')) return null
  return (
    <DialogAction
      icon={UserRoundPlus}
      label={`Assign: ${item.title}`}
      renderDialog={(onClose) => <AssignDialog item={item} onClose={onClose} />}
    />
  )
}
