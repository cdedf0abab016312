import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'

type MembersLosingAccessDialogProps = { members: readonly string[]; onContinue: () => void; onClose: () => void }

/** Shown to a team owner before Stripe's portal, which doesn't name the members who would lose access. */
export default function MembersLosingAccessDialog({ members, onContinue, onClose }: MembersLosingAccessDialogProps) {
  const handleContinue = () => {
    onClose()
    onContinue()
  }
  return (
    <Dialog title="Your team uses this plan" onClose={onClose}>
      <p className="mt-2 text-muted">
        If you cancel your plan or switch to another plan in the billing portal, these people lose access:
      </p>
      <ul aria-label="People who would lose access" className="mt-3 divide-y divide-line border-y border-line">
        {members.map((email) => (
          <li key={email} className="py-2.5 [overflow-wrap:anywhere]">
            {email}
          </li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button onClick={handleContinue}>Continue to the billing portal</Button>
        <Button variant="secondary" onClick={onClose}>
          Not now
        </Button>
      </div>
    </Dialog>
  )
}
