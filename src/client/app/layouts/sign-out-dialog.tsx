import { ConfirmDialog } from '#client/ui/dialog.tsx'
import { UnsavedChangesDialog } from '#client/ui/unsaved-changes-dialog.tsx'

type SignOutDialogProps = {
  /** Labels of changes that couldn't be sent; null if a form has unsaved changes. */
  unsent: string[] | null
  onSignOut: () => void
  onClose: () => void
}

/** Asks before signing out loses something. */
export default function SignOutDialog({ unsent, onSignOut, onClose }: SignOutDialogProps) {
  if (!unsent) {
    return (
      <UnsavedChangesDialog onLeave={onSignOut} onStay={onClose}>
        If you sign out now, your changes are lost.
      </UnsavedChangesDialog>
    )
  }
  return (
    <ConfirmDialog
      title="Sign out before your changes are sent?"
      action="Sign Out"
      keep="Stay signed in"
      onConfirm={onSignOut}
      onClose={onClose}
    >
      <p>You made these changes offline. If you sign out now, they’re lost.</p>
      <ul className="mt-3 list-disc pl-5">
        {unsent.map((label) => (
          <li key={label}>{label}</li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}
