interface LoadingProps {
  readonly label: string
  readonly rows: number
}

export function Loading({ label, rows }: LoadingProps) {
  return (
    <div className="loading" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <div className="skeleton" key={row}>
          <div className="bar" />
          <div className="bar short" />
        </div>
      ))}
    </div>
  )
}
