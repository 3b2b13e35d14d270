/** What we aim at, each with its condition. Aims, not measurements: those stand in docs/quality.md. */
export const targets = [
  { what: 'Accuracy', target: '99%+ on clear audio' },
  { what: 'Languages', target: '50+, by the engine in use' },
  { what: 'Speaker labels', target: 'over 95% on clear turns' },
  { what: 'Turnaround', target: 'under 24 hours' },
] as const
