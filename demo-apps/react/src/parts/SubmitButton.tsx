interface SubmitButtonProps {
  readonly children: string
  /** The label while the form is sent. */
  readonly sending: string
  readonly isSending: boolean
  readonly isUnready?: boolean
}

/** Stays enabled while the form is sent: a disabled button would lose the focus. */
export function SubmitButton({ children, sending, isSending, isUnready = false }: SubmitButtonProps) {
  const isOff = isSending || isUnready
  return (
    <button
      className="button primary"
      aria-disabled={isOff}
      onClick={(event) => isOff && event.preventDefault()}
    >
      {isSending ? sending : children}
    </button>
  )
}
