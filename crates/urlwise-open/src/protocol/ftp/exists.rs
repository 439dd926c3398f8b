//! Whether what a URL names exists, without a data connection: `MLST`, or `MDTM` and `SIZE`, or `CWD`.

use super::machine::FtpMachine;
use super::note::IS_DIRECTORY;
use super::phase::Phase;
use super::types::Type;
use crate::protocol::reply::Reply;
use crate::protocol::{Event, Fault};

impl FtpMachine {
    /// Queues the questions that follow the directories.
    pub(super) fn prove(&mut self) {
        match (self.request.is_list(), &self.path.name) {
            (true, Some(_)) => self.engine.push(Phase::IsDirectory),
            // Its directories are the proof.
            (true, None) => {}
            (false, _) if self.session.has_mlsd == Some(false) => self.engine.push(Phase::Mdtm),
            (false, _) => self.engine.push(Phase::Mlst),
        }
    }

    /// Handles a reply to one of these questions; `None` for other commands.
    pub(super) fn proved(&mut self, phase: Phase, reply: &Reply) -> Option<Result<(), Fault>> {
        match (phase, reply.class()) {
            (Phase::Mlst, 2) => {
                self.session.has_mlsd = Some(true);
                if reply.lines().any(is_directory) {
                    self.engine.emit(Event::Note(IS_DIRECTORY));
                }
            }
            (Phase::Mdtm | Phase::Size, 2) => {}
            // The command is not known, or not with such an argument.
            (Phase::Mlst, 5) if reply.code != 550 => {
                self.session.has_mlsd = Some(false);
                self.engine.push(Phase::Mdtm);
            }
            // Some servers know neither the time nor the size of a directory.
            (Phase::Mdtm, 5) => {
                if self.session.transfer_type != Some(Type::Image) {
                    self.engine.push(Phase::Type(Type::Image));
                }
                self.engine.push(Phase::Size);
            }
            (Phase::Size, 5) => {
                self.not_sent = Some(self.refused(phase, reply));
                self.engine.push(Phase::IsDirectory);
            }
            (Phase::IsDirectory, 2) => {
                self.session.entered.extend(self.path.name.clone());
                if !self.request.is_list() {
                    self.engine.emit(Event::Note(IS_DIRECTORY));
                }
            }
            _ => return None,
        }
        Some(Ok(()))
    }
}

/// Whether a line of the answer to `MLST` says that the name is that of a directory (RFC 3659 section 7.5.1).
fn is_directory(line: &[u8]) -> bool {
    let facts = line.trim_ascii_start().split(|octet| *octet == b' ').next().unwrap_or_default();
    let mut facts = facts.split(|octet| *octet == b';');
    facts.any(|fact| [&b"type=dir"[..], b"type=cdir", b"type=pdir"].iter().any(|is| fact.eq_ignore_ascii_case(is)))
}

#[cfg(test)]
mod tests {
    use super::is_directory;

    #[test]
    fn the_type_of_a_directory_is_a_fact_and_not_a_name() {
        assert!(is_directory(b" modify=20260101000000;Type=Dir;UNIX.mode=0755; /pub"));
        assert!(!is_directory(b" type=file;size=3; type=dir;"));
        assert!(!is_directory(b"250-type=dir"));
    }
}
