import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'

/** Errors of the checks that the publisher must accept. */
export function ErrorList({ errors }: { errors: readonly string[] }) {
  return (
    <div className="border-l-3 border-danger pl-4">
      <p className="font-semibold text-danger">
        The checks found {errors.length} {errors.length === 1 ? 'error' : 'errors'} to fix first:
      </p>
      <ul aria-label="Errors to fix first" className="mt-1.5 grid gap-1.5 text-sm text-ink">
        {errors.map((words) => (
          <li key={words} className="[overflow-wrap:anywhere]">
            {words}
          </li>
        ))}
      </ul>
    </div>
  )
}

type ErrorsDialogProps = {
  title: string
  errors: readonly string[]
  action: string
  onConfirm: () => void
  onClose: () => void
}

export function ErrorsDialog({ title, errors, action, onConfirm, onClose }: ErrorsDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="mt-3">
        <ErrorList errors={errors} />
      </div>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button variant="danger" onClick={onConfirm}>
          {action}
        </Button>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}
