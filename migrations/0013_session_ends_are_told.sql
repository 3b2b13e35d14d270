-- Says that a session ended, or is not what it was, to every process that remembers it. Told when
-- the transaction commits, also where the session goes with its user.
CREATE FUNCTION session_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('session_ended', OLD.id::text);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER session_ended
  AFTER DELETE OR UPDATE OF token_hash, user_id, kind ON sessions
  FOR EACH ROW EXECUTE FUNCTION session_ended();
