interface SubmitButtonProps {
  readonly children: string
  /** What it says while the form is sent. */
  readonly sending: string
  readonly isSending: boolean
  readonly isUnready?: boolean
}

/** Keeps the focus while the form is sent, which a disabled button would lose. */
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
