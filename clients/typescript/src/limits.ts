/** How long a call may take, and how often it may be sent. */

/** What any call can be given. */
export interface Limits {
  /** Seconds until it ends at the latest, repetitions included. */
  timeout?: number | undefined;
  /** Gives the call up; its promise is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** What is known of a call beforehand. */
export interface Nature {
  /** Seconds that the server takes on purpose. */
  seconds?: number;
  /** Whether sending it twice does no harm. */
  repeat?: boolean;
}
